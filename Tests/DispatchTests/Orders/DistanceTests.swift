import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O5: how far away a request is", .timeLimit(.minutes(15)))
struct DistanceTests {
    /// Where the provider is now.
    private func put(_ provider: OrderServer.Person, at place: GeoPoint, _ server: OrderServer) async throws {
        let fix = Fix(place: place, at: Date())
        try await server.world.pool.execute(
            StorePositions(reports: [PositionReport(provider: provider.account, fix: fix)]))
    }

    private func metres(_ place: GeoPoint, to other: GeoPoint) -> Int { Int(place.metres(to: other).rounded()) }

    @Test("O5: who is asked for a visit sees how far it is from the own last place, until the answer; nobody else does")
    func visit() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let path = try await server.order(customer, provider)
            let (mine, theirs) = (
                "\(OrderServer.orders)?role=provider&section=new", "\(OrderServer.orders)?role=customer"
            )
            // Nobody knows any more where the provider is.
            try await server.world.pool.execute(DeletePosition(account: provider.account))
            #expect(try await server.get(path, as: provider)["metresAway"] == nil)
            let unknown = try await server.get(mine, as: provider).items
            #expect(unknown.count == 1 && unknown[0]["metresAway"] == nil)

            let place = GeoPoint(latitude: 24.7, longitude: 46.72)
            try await put(provider, at: place, server)
            let expected = metres(place, to: GeoPoint(latitude: 24.7, longitude: 46.7))
            #expect((2_000...2_050).contains(expected))
            #expect(try await server.get(path, as: provider)["metresAway"]?.int == expected)
            #expect(try await server.get(mine, as: provider).items.map { $0["metresAway"]?.int } == [expected])
            #expect(try await server.get(path, as: customer)["metresAway"] == nil)
            #expect(try await server.get(theirs, as: customer).items.map { $0["metresAway"]?.int } == [nil])
            let admin = try await server.person(roles: ["admin"])
            #expect(try await server.get(path, as: admin)["metresAway"] == nil)

            #expect(try await server.post("\(path)/accept", as: provider).status == 200)
            #expect(try await server.get(path, as: provider)["metresAway"] == nil)
            #expect(try await server.get(mine, as: provider).items.map { $0["metresAway"]?.int } == [nil])
        }
    }

    @Test("O5, O7: who is sent to a visit sees how far it is, also in the calendar; the desk does not")
    func care() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let (partner, admin) = (
                try await server.partner(), try await server.person(roles: ["admin"], in: "edencare")
            )
            let asked = try await server.post(CareTests.visits, as: customer, CareTests.body(try CareTests.noon()))
            let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)), "\(asked.json)")
            try await server.world.pay(order)
            let assigned = try await server.act(
                "assignment", order, as: admin, #"{"provider": "\#(partner.account.text)"}"#)
            #expect(assigned["state"]?.text == "offered", "\(assigned.json)")
            let place = GeoPoint(latitude: 50.45, longitude: -104.62)
            try await put(partner, at: place, server)
            let expected = metres(place, to: GeoPoint(latitude: 50.45, longitude: -104.6))
            #expect(try await server.get(server.path(order), as: partner)["metresAway"]?.int == expected)
            let calendar = try await server.get(CareTests.calendar, as: partner).items
            #expect(calendar.map { $0["metresAway"]?.int } == [expected])
            let desk = try await server.get(CareTests.desk, as: admin).items
            #expect(desk.map { $0["metresAway"]?.int } == [nil])
            #expect(try await server.act("accept", order, as: partner).status == 200)
            let accepted = try await server.get(CareTests.calendar, as: partner).items
            #expect(accepted.map { $0["metresAway"]?.int } == [nil])
        }
    }
}
