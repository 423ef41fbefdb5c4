import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: what a care partner answers, and where he or she is", .timeLimit(.minutes(15)))
struct CarePartnerTests {
    @Test("O7, P8: a yes to a visit that has lapsed or is another's is told the state; who never had it, nothing")
    func lapsed() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let (partner, other) = (try await server.partner(), try await server.partner("Pia"))
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            try await Self.lapse(server, order)
            func expect(_ state: String) async throws {
                let late = try await server.act("accept", order, as: partner)
                #expect(late.status == 409 && late.problem == "order-state" && late["state"]?.text == state)
                #expect(try await server.get(server.path(order), as: partner).status == 404)
            }
            try await expect("requested")
            #expect(try await server.act("accept", order, as: other).status == 404)
            #expect(try await CareTests.assign(server, order, other, by: admin).status == 200)
            try await expect("offered")
            #expect(try await server.act("accept", order, as: other).status == 200)
            try await expect("accepted")
            // Sent again it is the partner's to answer again.
            #expect(try await server.send(.delete, server.path(order, "assignment"), as: admin).status == 200)
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await server.act("accept", order, as: partner)["state"]?.text == "accepted")
        }
    }

    /// The partner has not answered in time.
    private static func lapse(_ server: OrderServer, _ order: UUID) async throws {
        try await server.world.pool.withTransaction { transaction in
            let due = try #require(try await transaction.first(FindOrder(order: order))?.details().order.deadline)
            try await server.world.operations.endWindow(.assignment, of: order, due: due, at: due, in: transaction)
        }
    }

    @Test("O7, P3a: a partner's place is known from shortly before a visit on, and proves that nobody is there")
    func place() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await server.act("accept", order, as: partner).status == 200)
            // Days before, and with nothing switched on, it is nobody's business.
            #expect(try await Self.report(server, partner) == 1)
            try await server.world.pool.execute(MoveVisit(order: order, time: .thisMillisecond + 600))
            #expect(try await Self.report(server, partner) == 0)
            #expect(try await Self.report(server, partner, after: 11) == 0)
            #expect(try await server.act("no-show", order, as: partner).problem == "too-early")
            try await server.world.pool.execute(MoveVisit(order: order, time: .thisMillisecond - 901))
            let missed = try await server.act("no-show", order, as: partner)
            #expect(missed["state"]?.text == "cancelled" && missed["reason"]?.text == "customer-no-show")
            #expect(missed["fine"] == nil && missed["ended", "paidTo"]?.text == "customer")
        }
    }

    /// As the partner's phone does at the door.
    ///
    /// - Returns: how many reports were not kept.
    private static func report(
        _ server: OrderServer, _ partner: OrderServer.Person, after seconds: TimeInterval = 0
    ) async throws -> Int {
        let fix = Fix(place: GeoPoint(latitude: 50.4501, longitude: -104.6), at: .thisMillisecond + seconds)
        let record = RecordPositions(pool: server.world.pool, markets: server.world.markets, freshness: 120)
        return try await record([PositionReport(provider: partner.account, fix: fix)]).droppedCount
    }
}
