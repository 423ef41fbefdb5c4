import Foundation
import HTTPTypes
import Hummingbird
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("Q7: who may ask what about places, quotes and series", .timeLimit(.minutes(15)))
struct PlaceMatrixTests {
    struct Door: Sendable {
        let method: HTTPRequest.Method
        /// With `{id}`, `{day}`, `{item}` and `{type}` in it.
        let path: String
        /// Who may ask in the market; empty is everybody with a token.
        var roles: Set<String> = []
        var body: String?
        var isOpen = false
        /// How an open door answers whoever comes without a token.
        var openStatus = 200
        /// Whether it is about one account's own thing, which nobody else finds.
        var isOwn = false

        /// As the document names it.
        var name: String { "\(method.rawValue) /dispatch/v1/\(path.split(separator: "?")[0])" }
    }

    static let place = "latitude=-31.9523&longitude=115.8613"
    static let doors = [
        Door(method: .post, path: "series", roles: ["customer"], body: SeriesRouteTests.body),
        Door(method: .get, path: "series"),
        Door(method: .get, path: "series/{id}", isOwn: true),
        Door(method: .get, path: "markets/{market}/series", roles: ["admin"]),
        Door(method: .post, path: "series/{id}/end", isOwn: true),
        Door(method: .put, path: "series/{id}/price", body: #"{"total":1,"currency":"CAD"}"#, isOwn: true),
        Door(method: .put, path: "series/{id}/payment", body: #"{"payment":"wallet"}"#, isOwn: true),
        Door(method: .get, path: "series/{id}/visits", isOwn: true),
        Door(
            method: .put, path: "series/{id}/visits/{day}", body: #"{"day":"2027-01-01","time":"10:00"}"#, isOwn: true),
        Door(method: .post, path: "series/{id}/visits/{day}/skip", isOwn: true),
        Door(method: .post, path: "quotes", roles: ["customer"], body: QuoteTests.body()),
        Door(method: .get, path: "quotes/{id}", isOwn: true),
        Door(method: .get, path: "markets/{market}/restaurants?\(place)", roles: ["customer", "admin"]),
        Door(method: .get, path: "restaurants/{id}", isOwn: true),
        Door(method: .get, path: "markets/{market}/restaurant", roles: ["provider"]),
        Door(
            method: .put, path: "markets/{market}/restaurant", roles: ["provider"], body: RestaurantTests.card("Nonna")),
        Door(method: .put, path: "markets/{market}/restaurant/open", roles: ["provider"], body: #"{"open":false}"#),
        Door(method: .get, path: "markets/{market}/restaurant/sales", roles: ["provider"]),
        Door(
            method: .post, path: "markets/{market}/restaurant/items", roles: ["provider"],
            body: #"{"name":"Soup","price":1}"#),
        Door(
            method: .put, path: "markets/{market}/restaurant/items/{item}", roles: ["provider"],
            body: #"{"name":"Soup","price":1}"#),
        Door(method: .delete, path: "markets/{market}/restaurant/items/{item}", roles: ["provider"]),
        Door(method: .get, path: "markets/{market}/merchants", roles: ["admin"]),
        Door(method: .get, path: "markets/{market}/merchants/{id}", roles: ["admin"]),
        Door(
            method: .put, path: "markets/{market}/merchants/{id}/open", roles: ["admin"],
            body: #"{"open":false,"reason":"Inspection"}"#),
        Door(method: .get, path: "markets/{market}/merchants/{id}/sales", roles: ["admin"]),
        Door(method: .get, path: "markets/{market}/racks/nearest?\(place)", roles: ["customer", "provider", "admin"]),
        Door(method: .get, path: "markets/{market}/racks", roles: ["admin"]),
        Door(
            method: .post, path: "markets/{market}/racks", roles: ["admin"],
            body: #"{"name":"R","latitude":-31.9523,"longitude":115.8613}"#),
        Door(
            method: .put, path: "markets/{market}/racks/{id}", roles: ["admin"],
            body: #"{"name":"R","latitude":-31.9523,"longitude":115.8613}"#),
        Door(method: .post, path: "markets/{market}/racks/{id}/key", roles: ["admin"]),
        Door(method: .put, path: "markets/{market}/racks/{id}/bikes/{type}", roles: ["admin"], body: #"{"count":1}"#),
        Door(method: .get, path: "markets/{market}/places?text=perth"),
        Door(method: .get, path: "markets/{market}/places/at?\(place)"),
        Door(method: .get, path: "markets/{market}/cities", isOpen: true),
        Door(method: .post, path: "markets/{market}/ways", body: PlacesGround.wayBody, isOpen: true),
        Door(method: .get, path: "markets/{market}/restaurants/{id}", isOpen: true, openStatus: 404),
        Door(method: .get, path: "markets/{market}/restaurants/{id}/photos/{photo}", isOpen: true, openStatus: 404),
    ]

    static func path(_ door: Door, id: String = UUID.timeOrdered().text, market: String = "btnc") -> String {
        door.path.replacing("{id}", with: id).replacing("{market}", with: market).replacing("{day}", with: "2027-01-04")
            .replacing("{item}", with: UUID.timeOrdered().text).replacing("{type}", with: "city")
            .replacing("{photo}", with: UUID.timeOrdered().text)
    }

    @Test("Q7: the doors are those of the document and of the routes, all of them")
    func document() async throws {
        let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
        #expect(document.faults == [])
        let names = Set(Self.doors.map(\.name))
        try await PlacesGround.run { ground in
            let router = Router(context: SeraiRequestContext.self)
            ground.parts.addRoutes(to: router)
            let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
            #expect(routes == names)
        }
        #expect(document.operations.isSuperset(of: names), "\(names.subtracting(document.operations))")
    }

    @Test("Q7: without a token every door says 401, but those that are open to all")
    func strangers() async throws {
        try await PlacesGround.run { ground in
            for door in Self.doors {
                let answer = try await ground.ask(door.method, Self.path(door), door.body, as: nil)
                #expect(answer.status == (door.isOpen ? door.openStatus : 401), "\(door.name)")
            }
        }
    }

    @Test("Q7: the wrong role is refused, the right role in another market too, and a market that is none is not found")
    func roles() async throws {
        try await PlacesGround.run { ground in
            for door in Self.doors where !door.roles.isEmpty {
                for role in ["customer", "provider", "admin"] {
                    let path = Self.path(door)
                    let elsewhere = try await ground.ask(
                        door.method, path, door.body, as: .timeOrdered(), [role], in: "carrepsa")
                    #expect(
                        [403, 422].contains(elsewhere.status), "\(role) elsewhere \(door.name) \(elsewhere.status)")
                    if !door.roles.contains(role) {
                        let market = door.path == "series" ? "edencare" : "btnc"
                        let answer = try await ground.ask(
                            door.method, path, door.body, as: .timeOrdered(), [role], in: market)
                        #expect(answer.status == 403, "\(role) \(door.name) \(answer.status)")
                    }
                }
                guard door.path.contains("{market}") else { continue }
                let nowhere = try await ground.ask(
                    door.method, Self.path(door, market: "nowhere"), door.body, as: .timeOrdered(), ["admin"],
                    in: "nowhere")
                #expect(nowhere.status == 404, "\(door.name)")
            }
        }
    }

    @Test("I13: a market's support gets through each door that an admin reads by, and through none by which one acts")
    func support() async throws {
        try await PlacesGround.run { ground in
            for door in Self.doors where door.roles.contains("admin") {
                let path = Self.path(door)
                let admin = try await ground.ask(door.method, path, door.body, as: .timeOrdered(), ["admin"])
                let support = try await ground.ask(door.method, path, door.body, as: .timeOrdered(), ["support"])
                #expect(support.status == (door.method == .get ? admin.status : 403), "\(door.name) \(support.status)")
                if door.method != .get { #expect(support.slug == "support-reads-only", "\(door.name)") }
            }
            // Where the thing decides whose it is, the support is told why it may not act.
            let owner = UUID.timeOrdered()
            try await ground.pool.execute(TellCards(account: owner, cards: [SeriesRouteTests.cardID]))
            let made = try await ground.ask(.post, "series", SeriesRouteTests.body, as: owner, in: "edencare")
            let id = try #require(made.json["series"]?.asText)
            for (method, path, status) in [
                (HTTPRequest.Method.get, "series/\(id)", 200), (.post, "series/\(id)/end", 403),
                (.put, "series/\(id)/payment", 403),
            ] {
                let body = method == .put ? #"{"payment":"wallet"}"# : nil
                let answer = try await ground.ask(method, path, body, as: .timeOrdered(), ["support"], in: "edencare")
                #expect(answer.status == status, "\(path) \(answer.status)")
            }
        }
    }

    @Test("Q7: nobody finds another's series or quote; its admin changes a series, not its price")
    func others() async throws {
        try await PlacesGround.run { ground in
            let owner = UUID.timeOrdered()
            try await ground.pool.execute(TellCards(account: owner, cards: [SeriesRouteTests.cardID]))
            let series = try await ground.ask(.post, "series", SeriesRouteTests.body, as: owner, in: "edencare")
            let quote = try await ground.ask(.post, "quotes", QuoteTests.body(), as: owner)
            for door in Self.doors where door.isOwn && !door.path.hasPrefix("restaurants") {
                let made = door.path.hasPrefix("series") ? series : quote
                let market = door.path.hasPrefix("series") ? "edencare" : "btnc"
                let id = try #require((made.json["series"] ?? made.json["quote"])?.asText)
                for role in ["customer", "provider", "admin"] {
                    let answer = try await ground.ask(
                        door.method, Self.path(door, id: id), door.body, as: .timeOrdered(), [role], in: market)
                    let isDesk = role == "admin" && market == "edencare" && door.path != "series/{id}/price"
                    // It is over once it is ended.
                    let expected = !isDesk ? 404 : door.method == .get || door.path == "series/{id}/end" ? 200 : 409
                    #expect(answer.status == expected, "\(role) \(door.name)")
                    let elsewhere = try await ground.ask(
                        door.method, Self.path(door, id: id), door.body, as: .timeOrdered(), [role], in: "carrepsa")
                    #expect(elsewhere.status == 404, "\(role) elsewhere \(door.name)")
                }
                let none = try await ground.ask(door.method, Self.path(door), door.body, as: owner)
                #expect(none.status == 404, "\(door.name)")
                let nonsense = try await ground.ask(door.method, Self.path(door, id: "x"), door.body, as: owner)
                #expect([400, 404].contains(nonsense.status), "\(door.name) \(nonsense.status)")
            }
        }
    }
}
