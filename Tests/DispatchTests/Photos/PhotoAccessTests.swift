import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Q7: who may upload and see photos", .timeLimit(.minutes(15)))
struct PhotoAccessTests {
    /// Nobody first, then everybody else by name.
    typealias People = [(name: String, person: OrderServer.Person?)]

    /// Who is neither owner nor carrier.
    static func others(_ server: OrderServer) async throws -> People {
        [
            ("nobody", nil), ("another customer", try await server.owner("Sven")),
            ("a partner of another market", try await server.partner()),
            ("an admin of another market", try await server.person(roles: ["admin"], in: "assef")),
        ]
    }

    /// To whom a photo is shown, by name.
    static func statuses(_ server: OrderServer, _ photo: String, _ people: People) async throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        for (name, person) in people { statuses[name] = try await server.show(photo, to: person).status.code }
        return statuses
    }

    @Test("Q7: the document has the routes of photos, all of them")
    func document() async throws {
        try await OrderWorld.with { world in
            let router = Router(context: SeraiRequestContext.self)
            PhotoRoutes(orders: OrderServer.routes(world), metrics: PrometheusRegistry()).add(to: router)
            let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
            let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
            #expect(document.operations.filter { $0.contains(" \(PhotoRoutes.path)") } == routes)
            #expect(routes.count == 2)
        }
    }

    @Test("Q7: customers upload photos, and who has a restaurant; nobody else")
    func uploading() async throws {
        try await OrderServer.with { server in
            let cook = try await server.cook()
            let people: [(OrderServer.Person?, Int)] = [
                (nil, 401), (try await server.owner(), 201), (try await server.carrier(), 403),
                (try await server.partner(), 403), (cook, 403), (try await server.host(), 201),
                (try await server.person(roles: ["admin"], in: "carrepsa"), 403),
                (try await server.person(roles: []), 403),
            ]
            for (index, (person, status)) in people.enumerated() {
                #expect(try await server.upload(by: person).status == status, "\(index)")
            }
        }
    }

    @Test("O11, Q7: a parcel's photo is its owner's, the board's while it is on it, then its carrier's and the admins'")
    func parcel() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let (carrier, second) = (try await server.carrier(), try await server.carrier("Rut"))
            let people: People = [
                ("owner", owner), ("carrier", carrier), ("another carrier", second),
                ("admin", try await server.person(roles: ["admin"], in: "carrepsa")),
            ]
            let others = try await Self.others(server)
            let photo = try await server.photo(of: owner)
            func expect(_ statuses: [String: Int], _ when: String) async throws {
                #expect(try await Self.statuses(server, photo, people) == statuses, "\(when)")
                let refused = try await Self.statuses(server, photo, others)
                #expect(refused.filter { $0.value != 404 } == ["nobody": 401], "\(when)")
            }
            try await expect(["owner": 200, "carrier": 404, "another carrier": 404, "admin": 404], "on nothing")
            let order = try await server.post(owner, OrderServer.parcel(photo: photo))
            try await expect(["owner": 200, "carrier": 404, "another carrier": 404, "admin": 200], "not paid")
            try await server.world.pay(order, SampleOrder.held(2, method: "wallet"))
            try await expect(["owner": 200, "carrier": 200, "another carrier": 200, "admin": 200], "on the board")
            #expect(try await server.act("take", order, as: carrier).status == 200)
            let kept = ["owner": 200, "carrier": 200, "another carrier": 404, "admin": 200]
            try await expect(kept, "taken")
            #expect(try await server.act("start", order, as: owner).status == 200)
            #expect(try await server.act("complete", order, as: owner).status == 200)
            try await expect(kept, "delivered")
            for none in [UUID.timeOrdered().text, "x"] {
                #expect(try await server.show(none, to: owner).status == .notFound)
            }
        }
    }

    @Test("X2, O11: the owner changes a parcel's photo until the pick-up; the carrier and strangers do not")
    func changing() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.posted(owner)
            let (first, second) = (try await server.photo(of: owner), try await server.photo(of: owner))
            func put(_ photo: String, as person: OrderServer.Person) async throws -> Answer {
                try await server.send(.put, server.path(order, "photo"), as: person, #"{"photo": "\#(photo)"}"#)
            }
            let put1 = try await put(first, as: owner)
            #expect(put1.status == 200 && put1["parcel", "photo"]?.text == first, "\(put1.json)")
            #expect(try await server.act("take", order, as: carrier).status == 200)
            #expect(try await put(second, as: carrier).status == 403)
            #expect(try await put(second, as: try await server.owner("Sven")).status == 404)
            #expect(try await put(UUID().uuidString, as: owner).codes == ["/photo": "not-your-photo"])
            #expect(try await put(second, as: owner)["parcel", "photo"]?.text == second)
            #expect(try await server.show(second, to: carrier).status == .ok)
            #expect(try await server.show(first, to: carrier).status == .notFound)
            let bare = try await server.send(.delete, server.path(order, "photo"), as: owner)
            #expect(bare.status == 200 && bare["parcel", "photo"] == nil, "\(bare.json)")
            #expect(try await server.act("start", order, as: owner).status == 200)
            #expect(try await put(first, as: owner).problem == "order-state")
        }
    }

    @Test("B8, C5: who has no account sees the pictures of a restaurant and its menu, and no other photo")
    func guests() async throws {
        try await OrderServer.with { server in
            let (host, owner) = (try await server.host(), try await server.owner())
            let (dish, loose) = (try await server.photo(of: host), try await server.photo(of: host))
            _ = try await server.addDish(dish, by: host)
            let carried = try await server.photo(of: owner)
            _ = try await server.posted(owner, OrderServer.parcel(photo: carried))
            let own = try await server.get(OrderServer.restaurant, as: host)
            let restaurant = try #require(own["restaurant"]?.text, "\(own.json)")
            func status(_ photo: String) async throws -> (HTTPResponse.Status, String?) {
                let uri = "/dispatch/v1/markets/btnc/restaurants/\(restaurant)/photos/\(photo)"
                let response = try await server.client.execute(uri: uri, method: .get, headers: [:], body: nil)
                return (response.status, response.headers[.cacheControl])
            }
            let shown = try await status(dish)
            #expect(shown.0 == .ok && shown.1 == "public, max-age=3600")
            #expect(try await status(loose).0 == .notFound)
            #expect(try await status(carried).0 == .notFound)
            try await server.world.pool.execute(WithdrawVerification(account: host.account))
            #expect(try await status(dish).0 == .notFound)
        }
    }

    @Test("O11, Q7: a photo of two parcels is shown to whoever sees one of them")
    func twice() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let photo = try await server.photo(of: owner)
            _ = try await server.posted(owner, OrderServer.parcel(photo: photo))
            _ = try await server.post(owner, OrderServer.parcel(photo: photo))
            #expect(try await server.show(photo, to: carrier).status == .ok)
        }
    }

    @Test("C5, Q7: a dish's picture is shown to everybody with a token, and to nobody else once it is on no dish")
    func dish() async throws {
        try await OrderServer.with { server in
            let (host, other) = (try await server.host(), try await server.host())
            let more: People = [("owner", host), ("another restaurant", other)]
            let people = try await Self.others(server) + more
            let photo = try await server.photo(of: host)
            let names = people.map(\.name)
            func expect(_ status: Int) async throws {
                var expected = Dictionary(uniqueKeysWithValues: names.map { ($0, status) })
                expected["nobody"] = 401
                expected["owner"] = 200
                #expect(try await Self.statuses(server, photo, people) == expected)
            }
            try await expect(404)
            let item = try await server.addDish(photo, by: host)
            try await expect(200)
            let path = "\(OrderServer.restaurant)/items/\(item)"
            #expect(try await server.send(.put, path, as: host, OrderServer.dish(nil)).status == 200)
            try await expect(404)
        }
    }
}
