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

@Suite("P8: what of a customer's place is shown to who has not said yes", .timeLimit(.minutes(15)))
struct RequestPlaceTests {
    private static let more = #", "description": "Second floor, gate 4711""#

    private static func requested(
        _ server: OrderServer, _ customer: OrderServer.Person, _ provider: OrderServer.Person
    ) async throws -> String {
        let body = OrderServer.body(provider.account, latitude: "24.70077", longitude: "46.69931", more: more)
        let answer = try await server.post(OrderServer.orders, as: customer, body)
        return try "\(OrderServer.orders)/\(#require(answer["order"]?.text, "\(answer.json)"))"
    }

    private static func isRough(_ order: JSONValue?) -> Bool {
        order?["place"]?["latitude"] == .number(24.7) && order?["place"]?["longitude"] == .number(46.7)
            && order?["place"]?["description"] == nil
    }

    private static func isExact(_ order: JSONValue?) -> Bool {
        order?["place"]?["latitude"] == .number(24.70077) && order?["place"]?["description"] != nil
    }

    @Test("P8, O5: who is asked for a visit sees about where it is, in the order and the list; with the yes the door")
    func visit() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let path = try await Self.requested(server, customer, provider)
            let new = "\(OrderServer.orders)?role=provider&section=new"
            // Where the phone is, and how far that is, tell no more either.
            let place = Order.Place(latitude: 24.7, longitude: 46.7, description: nil)
            try await server.world.stand(provider.account, at: place, north: 3_000)
            let asked = try await server.get(path, as: provider).json
            #expect(Self.isRough(asked) && asked["metresAway"]?.int == 3_000)
            #expect(try await server.get(new, as: provider).items.allSatisfy { Self.isRough($0) })
            #expect(try await Self.isExact(server.get(path, as: customer).json))
            let admin = try await server.person(roles: ["admin"])
            #expect(try await Self.isExact(server.get(path, as: admin).json))
            try await Self.expectTracking(server, path, provider)

            #expect(try await Self.isExact(server.post("\(path)/accept", as: provider).json))
            #expect(try await server.get(new, as: provider).items.allSatisfy { Self.isExact($0) })
        }
    }

    /// The way to it, as it is followed on the map.
    private static func expectTracking(
        _ server: OrderServer, _ path: String, _ provider: OrderServer.Person
    ) async throws {
        let track = TrackOrder(
            pool: server.world.pool, markets: server.world.markets, travelTimes: GreatCircleTimes())
        let order = try #require(UUID(uuidString: String(path.suffix(36))))
        let answer = try await track(order, for: provider.account)
        #expect(answer.destination == GeoPoint(latitude: 24.7, longitude: 46.7))
    }

    @Test("P8: what was declined, or cancelled before the yes, shows its provider no door afterwards")
    func ended() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let declined = try await Self.requested(server, customer, provider)
            #expect(try await Self.isRough(server.post("\(declined)/decline", as: provider).json))
            let cancelled = try await Self.requested(server, customer, provider)
            #expect(try await server.post("\(cancelled)/cancel", as: customer).status == 200)
            for path in [declined, cancelled] {
                #expect(try await Self.isRough(server.get(path, as: provider).json))
                #expect(try await Self.isExact(server.get(path, as: customer).json))
            }
            let past = try await server.get("\(OrderServer.orders)?role=provider&section=past", as: provider).items
            #expect(past.count == 2 && past.allSatisfy { Self.isRough($0) })
        }
    }

    @Test("P8, O7: a care partner sees about where a visit is until the yes, also in the calendar")
    func care() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let body = """
                {"services": ["companionship"], "time": "\(Timestamp.text(try CareTests.noon()))",
                 "place": {"latitude": 50.45077, "longitude": -104.60066, "description": "Flat 3"},
                 "total": {"amount": 9000000, "currency": "CAD"}}
                """
            let order = try await CareTests.ordered(server, customer, body)
            #expect(try await CareTests.assign(server, order, partner, by: admin)["place", "description"] != nil)
            func places() async throws -> [JSONValue?] {
                let calendar = try await server.get(CareTests.calendar, as: partner).items.map { $0["place"] }
                return [try await server.get(server.path(order), as: partner)["place"]] + calendar
            }
            let asked = try await places()
            #expect(asked.count == 2)
            for place in asked {
                #expect(place?["latitude"] == .number(50.45) && place?["longitude"] == .number(-104.6))
                #expect(place?["description"] == nil)
            }
            #expect(try await server.act("accept", order, as: partner).status == 200)
            for place in try await places() {
                #expect(place?["latitude"] == .number(50.45077) && place?["description"]?.text == "Flat 3")
            }
        }
    }
}
