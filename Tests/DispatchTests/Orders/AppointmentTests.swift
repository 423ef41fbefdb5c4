import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("N7: reminders of appointments", .timeLimit(.minutes(15)))
struct AppointmentTests {
    private func due(_ world: OrderWorld, _ order: UUID) async throws -> Date? {
        try await world.pool.first(ReminderDue(order: order.text))
    }

    private func remind(_ world: OrderWorld, _ order: UUID, at now: Date) async throws {
        try await world.pool.withTransaction { transaction in
            try await RemindOfAppointment(markets: world.markets)(order, due: now, at: now, in: transaction)
        }
    }

    private func told(_ world: OrderWorld, _ order: UUID) async throws -> Int {
        try await world.events(order).filter { $0 == "near" }.count
    }

    @Test("N7: both are reminded a day and an hour before, from the partner's yes on, until the visit ends")
    func reminders() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let partner = try await server.partner()
            let noon = try CareTests.noon()
            let order = try await CareTests.ordered(server, customer, CareTests.body(noon))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await due(world, order) == nil, "nobody has promised to come yet")
            #expect(try await server.act("accept", order, as: partner).status == 200)
            #expect(try await due(world, order) == noon - 86_400)
            try await remind(world, order, at: noon - 86_400)
            #expect(try await told(world, order) == 1)
            #expect(try await due(world, order) == noon - 3_600)
            try await remind(world, order, at: noon - 3_600)
            #expect(try await told(world, order) == 2)
            #expect(try await due(world, order) == nil)
            // Of a time that is over nobody is reminded, however late the deadline fires.
            try await remind(world, order, at: noon)
            #expect(try await told(world, order) == 2)
            #expect(try await server.act("cancellation", order, as: admin, "{}").status == 200)
            try await remind(world, order, at: noon - 3_600)
            #expect(try await told(world, order) == 2)
            try await world.expectConsistency()
        }
    }

    @Test("N7: a visit that is ordered two hours before has the last reminder alone, and a cancelled one has none")
    func fewer() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let partner = try await server.partner()
            let time = Date.thisMillisecond.addingTimeInterval(7_200)
            try await CareTests.openAlways(server)
            let order = try await CareTests.ordered(server, customer, CareTests.body(time))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await server.act("accept", order, as: partner).status == 200)
            let due = try #require(try await due(world, order))
            #expect(abs(due.timeIntervalSince(time) + 3_600) < 1)
            #expect(try await server.act("cancellation", order, as: admin, "{}").status == 200)
            #expect(try await self.due(world, order) == nil)
        }
    }
}

private struct ReminderDue: Statement {
    static let sql: SQL = "SELECT due_at FROM deadlines WHERE kind = 'order.appointment' AND subject = $1"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
