import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite(
    "X9, Q7: orders, series and quotes of an account, asked by the key of one of its markets", .timeLimit(.minutes(10)))
struct KeyOrderTests {
    @Test(
        "X9, Q7: a key lists, files, reads and changes its own market's orders, and those of another market are not found"
    )
    func orders() async throws {
        try await OrderServer.with { server async throws in
            let nurse = try await server.provider()
            let owner = try await server.owner()
            let visitor = try await server.person(owner.account, roles: ["customer"])
            let visit = try await server.order(visitor, nurse)
            let parcel = try await server.posted(owner)
            let (own, other) = (
                try await server.key(of: owner.account, in: "carrepsa"),
                try await server.key(of: owner.account, in: "assef")
            )
            func listed(_ key: OrderServer.Person) async throws -> [String] {
                try await server.get(OrderServer.orders, as: key).items.compactMap { $0["order"]?.text }
            }
            #expect(try await listed(own) == [parcel.text])
            #expect(try await listed(other) == [String(visit.suffix(36))])
            #expect(try await listed(owner).count == 2)
            // Its own is read, and a wrong market's has nothing to read or to do.
            #expect(try await server.get(server.path(parcel), as: own).status == 200)
            for action in ["", "/cancellation", "/reports", "/matching", "/trail"] {
                let answer = try await server.get(server.path(parcel) + action, as: other)
                #expect(answer.status == 404, "\(action)")
                #expect(try await server.get(visit + action, as: own).status == 404, "\(action)")
            }
            for action in ["cancel", "cancellation", "complete", "rating", "reports", "met", "take", "accept"] {
                #expect(try await server.act(action, parcel, as: other, "{}").status == 404, "\(action)")
            }
            #expect(try await server.act("cancel", parcel, as: own).status == 200)
        }
    }

    @Test("X9, Q7: a key asks for no other part in orders, for no relative's and for no other market's file")
    func parts() async throws {
        try await OrderServer.with { server async throws in
            let owner = try await server.owner()
            let order = try await server.posted(owner)
            // The carrier is a business, too: what it carries is not its key's.
            let carrier = try await server.carrier()
            #expect(try await server.act("take", order, as: carrier).status == 200)
            let key = try await server.key(of: carrier.account, in: "carrepsa")
            #expect(try await server.get(server.path(order), as: carrier).status == 200)
            #expect(try await server.get(server.path(order), as: key).status == 404)
            #expect(try await server.get(OrderServer.orders, as: key).items.isEmpty)
            for query in ["role=provider", "role=merchant", "role=recipient", "relative=\(owner.account.text)"] {
                let answer = try await server.get("\(OrderServer.orders)?\(query)", as: key)
                #expect(answer.status == 403 && answer.problem == "outside-key-scope", "\(query)")
            }
            for query in ["role=provider", "market=assef"] {
                let answer = try await server.get("\(OrderServer.orders).csv?\(query)", as: key)
                #expect(answer.status == 403 && answer.problem == "outside-key-scope", "\(query)")
            }
            for path in ["earnings", "board", "restaurant", "availability", "requests"] {
                let answer = try await server.get("/dispatch/v1/markets/carrepsa/\(path)", as: key)
                #expect(answer.status == 403 && answer.problem == "outside-key-scope", "\(path)")
            }
            #expect(try await server.get("/dispatch/v1/markets/btnc/hires/terms", as: key).status == 404)
        }
    }

    @Test("X9, Q7: the file of a key has its market's orders alone")
    func file() async throws {
        try await OrderServer.with { server async throws in
            let nurse = try await server.provider()
            let owner = try await server.owner()
            let visitor = try await server.person(owner.account, roles: ["customer"])
            _ = try await server.order(visitor, nurse)
            let parcel = try await server.posted(owner)
            func lines(_ person: OrderServer.Person) async throws -> [Substring] {
                try await server.text("\(OrderServer.orders).csv", as: person).split(whereSeparator: \.isNewline)
            }
            #expect(try await lines(owner).count == 3)
            let own = try await lines(try await server.key(of: owner.account, in: "carrepsa"))
            #expect(own.count == 2 && own.last?.contains(parcel.text) == true)
        }
    }

    @Test("X9: a key uploads the photo of a parcel and posts the parcel with it")
    func photo() async throws {
        try await OrderServer.with { server async throws in
            let owner = try await server.owner()
            let key = try await server.key(of: owner.account, in: "carrepsa")
            let photo = try await server.photo(of: key)
            let parcel = OrderServer.parcel(photo: photo)
            _ = try await server.post(key, parcel)
            let reads = try await server.key(of: owner.account, in: "carrepsa", ["orders:read"])
            #expect(try await server.upload(by: reads).status == 403)
        }
    }

    @Test("X9, Q7: a key lists its market's series, and neither series nor quotes of another market are found")
    func seriesAndQuotes() async throws {
        try await PlacesGround.run { ground async throws in
            let customer = UUID.timeOrdered()
            let made = try await SeriesRouteTests.ask(ground, "POST", "series", SeriesRouteTests.body, as: customer)
            let series = try #require(made.json["series"]?.asText)
            func ask(_ method: HTTPRequest.Method, _ path: String, _ market: String) async throws -> ProviderAnswer {
                try await ground.ask(
                    method, path, method == .get ? nil : "{}", as: customer, in: market,
                    scopes: ["orders:read", "orders:write"])
            }
            #expect(try await ask(.get, "series", "edencare").items.count == 1)
            #expect(try await ask(.get, "series/\(series)", "edencare").status == 200)
            #expect(try await ask(.get, "series/\(series)/visits", "edencare").status == 200)
            #expect(try await ask(.get, "series", "btnc").items.isEmpty)
            for path in ["series/\(series)", "series/\(series)/visits"] {
                #expect(try await ask(.get, path, "btnc").status == 404, "\(path)")
            }
            #expect(try await ask(.post, "series/\(series)/end", "btnc").status == 404)
            let quote = try await ground.ask(.post, "quotes", QuoteTests.body(), as: customer)
            let id = try #require(quote.json["quote"]?.asText, "\(quote.json)")
            #expect(try await ask(.get, "quotes/\(id)", "btnc").status == 200)
            #expect(try await ask(.get, "quotes/\(id)", "edencare").status == 404)
        }
    }
}
