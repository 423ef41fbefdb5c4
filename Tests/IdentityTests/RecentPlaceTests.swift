import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiIdentity

@Suite("X1: recent and favourite places", .timeLimit(.minutes(5)))
struct RecentPlaceTests {
    private static let path = "v1/accounts/me/markets/assef/recent-places"

    private static func place(_ name: String, _ latitude: Double = 24.7) -> JSONValue {
        ["name": .string(name), "coordinates": ["latitude": .number(latitude), "longitude": 46.7]]
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private struct ListSealed: Statement {
        static let sql: SQL = "SELECT sealed FROM recent_places"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> [UInt8] { try row.next() }
    }

    @Test(
        "X1, I14: what was chosen is listed, the newest first, each place once, twenty at most, sealed in the database")
    func recents() async throws {
        try await World.run { world async throws in
            let (tokens, other) = (try await world.join(Person()), try await world.join(Person()))
            func names(_ who: Tokens) async throws -> [String] {
                try await world.send("GET", Self.path, token: who.access).items.compactMap {
                    $0["name"].flatMap(Self.text)
                }
            }
            #expect(try await names(tokens).isEmpty)
            for index in 0..<22 {
                let used = try await world.send("PUT", Self.path, Self.place("Place \(index)"), token: tokens.access)
                #expect(used.status == 200, "\(used)")
            }
            #expect(try await names(tokens) == (2..<22).reversed().map { "Place \($0)" })
            // The same name at nearly the same place is one place; elsewhere it is another.
            let near = try await world.send("PUT", Self.path, Self.place("Place 5", 24.70005), token: tokens.access)
            #expect(near.status == 200, "\(near)")
            #expect(try await names(tokens).prefix(2) == ["Place 5", "Place 21"])
            #expect(try await names(tokens).count == 20)
            let far = try await world.send("PUT", Self.path, Self.place("Place 5", 24.8), token: tokens.access)
            #expect(far.status == 200, "\(far)")
            #expect(try await names(tokens).prefix(3) == ["Place 5", "Place 5", "Place 21"])
            for sealed in try await world.pool.query(ListSealed()) {
                #expect(!String(decoding: sealed, as: UTF8.self).contains("Place"))
            }
            // Nobody else has them or takes them away.
            #expect(try await names(other).isEmpty)
            let list = try await world.send("GET", Self.path, token: tokens.access)
            let id = try #require(list.items.first?["place"].flatMap(Self.text))
            #expect(try await world.send("DELETE", "\(Self.path)/\(id)", token: other.access).status == 404)
            #expect(try await world.send("DELETE", "\(Self.path)/\(id)", token: tokens.access).status == 204)
            #expect(try await names(tokens).count == 19)
            #expect(try await world.send("DELETE", Self.path, token: tokens.access).status == 204)
            #expect(try await names(tokens).isEmpty)
            let wrong = try await world.send("PUT", Self.path, ["name": ""], token: tokens.access)
            #expect(wrong.status == 422 && wrong.fields["/coordinates"] == "required")
            #expect(try await world.send("GET", Self.path).status == 401)
            let foreign = "v1/accounts/me/markets/btnc/recent-places"
            #expect(try await world.send("GET", foreign, token: tokens.access).status == 403)
        }
    }

    @Test("X1, I8: a saved place can be a favourite, and is none unless its owner says so")
    func favourites() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            var place: [String: JSONValue] = [
                "market": "assef", "label": "home", "name": "Home",
                "coordinates": ["latitude": 24.7, "longitude": 46.7],
            ]
            let made = try await world.post("accounts/me/places", .object(place), token: tokens.access)
            #expect(made.json?["favourite"] == false)
            place["favourite"] = true
            let path = "v1/accounts/me/places/\(try #require(made["place"]))"
            #expect(try await world.send("PUT", path, .object(place), token: tokens.access).json?["favourite"] == true)
            #expect(try await world.send("GET", path, token: tokens.access).json?["favourite"] == true)
        }
    }
}
