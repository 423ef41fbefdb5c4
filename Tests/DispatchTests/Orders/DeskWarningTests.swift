import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: visits that nobody takes in time", .timeLimit(.minutes(15)))
struct DeskWarningTests {
    private func due(_ world: OrderWorld, _ order: UUID) async throws -> Date? {
        try await world.pool.first(WarningDue(order: order.text))
    }

    private func warn(_ world: OrderWorld, _ order: UUID) async throws {
        try await world.pool.withTransaction { transaction in
            try await WarnOfDesk()(order, due: .thisMillisecond, at: .thisMillisecond, in: transaction)
        }
    }

    private func told(_ world: OrderWorld, _ order: UUID) async throws -> Int {
        try await world.events(order).filter { $0 == "nobody_yet" }.count
    }

    @Test(
        "O7: a visit for at once is told of after the market's time, and the desk shows it first until somebody is sent"
    )
    func atOnce() async throws {
        try await OrderServer.with { server in
            try await CareTests.openAlways(server)
            let world = server.world
            let customer = try await server.owner("Ada", in: "edencare")
            let other = try await server.owner("Bea", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let partner = try await server.partner()
            // Later than the other by its time, and so behind it at the desk.
            let order = try await CareTests.ordered(server, customer, CareTests.body(nil))
            let soon = try await CareTests.ordered(
                server, other, CareTests.body(Date.thisMillisecond.addingTimeInterval(5_400)))
            let seconds = try #require(world.markets.settings(of: "edencare")?.deskWarningSeconds)
            let due = try #require(try await due(world, order))
            #expect(abs(due.timeIntervalSinceNow - Double(seconds)) < 60)
            func desk() async throws -> [(String?, JSONValue?)] {
                try await server.get(CareTests.desk, as: admin).items.map { ($0["order"]?.text, $0["care"]?["isLate"]) }
            }
            #expect(try await desk().map(\.1) == [.bool(false), .bool(false)])
            try await world.pool.execute(AgeOrder(order: order, at: .thisMillisecond + 86_400))
            #expect(try await desk().map(\.0) == [soon.text, order.text])
            try await warn(world, order)
            #expect(try await told(world, order) == 1)
            let late = try await desk()
            #expect(late.map(\.0) == [order.text, soon.text] && late.first?.1 == .bool(true))
            // The customer is not shown how the desk works.
            #expect(try await server.get(server.path(order), as: customer)["care", "isLate"] == nil)
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await self.due(world, order) == nil)
            try await warn(world, order)
            #expect(try await told(world, order) == 1)
            // On-demand visits do not wait for a day.
            #expect(Market.edencare.defaults.deskWindowSeconds == 7_200)
            try await world.expectConsistency()
        }
    }

    @Test("O7: a visit for a time is told of an hour before it, and again when its partner gives it back")
    func scheduled() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let partner = try await server.partner()
            let noon = try CareTests.noon()
            let order = try await CareTests.ordered(server, customer, CareTests.body(noon))
            #expect(try await due(world, order) == noon - 3_600)
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await due(world, order) == nil)
            #expect(try await server.act("decline", order, as: partner).status == 204)
            #expect(try await due(world, order) == noon - 3_600)
            let cancelled = try await server.act("cancellation", order, as: admin, "{}")
            #expect(cancelled.status == 200)
            #expect(try await due(world, order) == nil)
        }
    }
}

private struct WarningDue: Statement {
    static let sql: SQL = "SELECT due_at FROM deadlines WHERE kind = 'order.desk-warning' AND subject = $1"
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
