import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
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
