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

@Suite("X3: the owner follows the carrier who agrees to it", .timeLimit(.minutes(5)))
struct ShareWayTests {
    private func report(
        _ server: OrderServer, _ carrier: OrderServer.Person, _ latitude: Double
    ) async throws
        -> RecordPositions.Outcome
    {
        let record = RecordPositions(pool: server.world.pool, markets: server.world.markets, freshness: 120)
        let fix = Fix(place: GeoPoint(latitude: latitude, longitude: 11.97), at: .thisMillisecond)
        return try await record([PositionReport(provider: carrier.account, fix: fix)])
    }

    private func follow(
        _ server: OrderServer, _ order: UUID, as person: OrderServer.Person
    ) async throws -> TrackOrder.Answer {
        try await TrackOrder(
            pool: server.world.pool, markets: server.world.markets, travelTimes: GreatCircleTimes())(
                order, for: person.account)
    }

    private func share(
        _ server: OrderServer, _ order: UUID, _ isOn: Bool, as person: OrderServer.Person?
    ) async throws -> Answer {
        try await server.send(.put, server.path(order, "sharing"), as: person, #"{"on": \#(isOn)}"#)
    }

    @Test(
        "X3: from the carrier's yes to the delivery or the carrier's no the owner sees the way, and the database keeps no trail"
    )
    func followed() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.posted(owner)
            #expect(try await server.act("take", order, as: carrier).status == 200)
            // Positions of somebody who shares nothing are not kept.
            #expect(try await report(server, carrier, 57.69).positions.isEmpty)
            await #expect(throws: Problem.self) { _ = try await follow(server, order, as: owner) }

            let shared = try await share(server, order, true, as: carrier)
            #expect(shared.status == 200 && shared["parcel"]?["isFollowed"] == .bool(true))
            let told = try await report(server, carrier, 57.695)
            #expect(told.positions.first?.tracking?.order == order)
            #expect(told.positions.first?.tracking?.customer == owner.account && told.arrivals.isEmpty)
            let seen = try await follow(server, order, as: owner)
            #expect(seen.last?.place.latitude == 57.695 && (seen.left?.metres ?? 0) > 400)
            #expect(try await server.get(server.path(order), as: owner)["parcel"]?["isFollowed"] == .bool(true))
            #expect(try await server.act("start", order, as: owner).status == 200)
            #expect(try await report(server, carrier, 57.696).positions.count == 1)

            #expect(try await share(server, order, false, as: carrier).status == 200)
            #expect(try await report(server, carrier, 57.697).positions.isEmpty)
            await #expect(throws: Problem.self) { _ = try await follow(server, order, as: owner) }
            // Agreed to again, until the carrier says "delivered".
            #expect(try await share(server, order, true, as: carrier).status == 200)
            #expect(try await follow(server, order, as: owner).last == nil)
            // The owner is told of each change, and once.
            #expect(try await share(server, order, true, as: carrier).status == 200)
            #expect(try await server.world.events(order).filter { $0 == "way_shared" }.count == 3)
            #expect(try await server.act("complete", order, as: carrier).status == 200)
            #expect(try await report(server, carrier, 57.698).positions.isEmpty)
            #expect(try await server.get(server.path(order), as: owner)["parcel"]?["isFollowed"] == .bool(false))
            await #expect(throws: Problem.self) { _ = try await follow(server, order, as: owner) }
            #expect(try await server.world.pool.first(CountTrailRows()) == 0)
        }
    }

    @Test(
        "X3, Q7: only the carrier decides, while there is something to carry; who lost the parcel shares nothing more")
    func decides() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let other = try await server.carrier("Rut")
            let order = try await server.posted(owner, OrderServer.parcel(deposit: 900))
            #expect(try await share(server, order, true, as: carrier).status == 404)
            #expect(try await server.act("take", order, as: carrier).status == 200)
            // Before the deposit is there, nothing is carried.
            #expect(try await share(server, order, true, as: carrier).problem == "order-state")
            try await server.deposit(.depositLocked(orderVersion: 3), of: order)
            #expect(try await share(server, order, true, as: owner).status == 403)
            #expect(try await share(server, order, true, as: other).status == 404)
            #expect(try await share(server, order, true, as: nil).status == 401)
            #expect(try await share(server, order, true, as: carrier).status == 200)
            #expect(try await server.act("give-up", order, as: carrier).status == 200)
            #expect(try await server.act("give-up", order, as: owner).status == 200)
            #expect(try await report(server, carrier, 57.69).positions.isEmpty)
            #expect(try await server.act("take", order, as: other).status == 200)
            try await server.deposit(.depositLocked(orderVersion: 7), of: order)
            #expect(try await server.get(server.path(order), as: owner)["parcel"]?["isFollowed"] == .bool(false))
            await #expect(throws: Problem.self) { _ = try await follow(server, order, as: owner) }
        }
    }
}

private struct CountTrailRows: Statement {
    static let sql: SQL = "SELECT count(*) FROM order_trails"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
