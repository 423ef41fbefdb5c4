import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Saved places", .timeLimit(.minutes(15)))
struct PlaceTests {
    private static func place(
        _ name: String = "Home", latitude: Double = 24.7, longitude: Double = 46.7, label: String = "home"
    ) -> JSONValue {
        [
            "market": "assef", "label": .string(label), "name": .string(name), "description": "Third floor\nring twice",
            "address": "12 King Fahd Road",
            "coordinates": ["latitude": .number(latitude), "longitude": .number(longitude)],
        ]
    }

    @Test("Q10: whoever describes a place in medical words is warned where none are kept; registration has the note")
    func medicalWords() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.market = "edencare"
            person.address = [
                "label": "home", "name": "Home", "description": "Ring twice", "address": "12 Elm Street",
                "coordinates": ["latitude": 50.4452, "longitude": -104.6189],
            ]
            try await world.register(person)
            let token = try await world.logIn(person).access
            func add(_ description: String) async throws -> JSONValue? {
                let answer = try await world.post(
                    "accounts/me/places",
                    [
                        "market": "edencare", "label": "other", "name": "Mother's",
                        "description": .string(description), "address": "13 Elm Street",
                        "coordinates": ["latitude": 50.4453, "longitude": -104.6188],
                    ], token: token)
                #expect(answer.status == 201, "\(answer)")
                return answer.json?["warnings"]
            }
            #expect(try await add("The blue door") == nil)
            #expect(try await add("She has dementia, ring twice")?[0]?["code"] == "medical-words")
            let rules = try await world.send("GET", "v1/markets/edencare/registration")
            #expect(rules.json?["freeTextNote"] != nil)
            #expect(try await world.send("GET", "v1/markets/assef/registration").json?["freeTextNote"] == nil)
        }
    }

    @Test("I8: a place is saved, listed, changed and deleted by its owner")
    func whole() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let key = UUID().uuidString
            let made = try await world.post("accounts/me/places", Self.place(), token: tokens.access, key: key)
            #expect(made.status == 201)
            #expect(made.headers["etag"] == "\"1\"")
            #expect(made.json?["served"] == true)
            #expect(made["description"] == "Third floor\nring twice")
            let again = try await world.post("accounts/me/places", Self.place(), token: tokens.access, key: key)
            #expect(again.bytes == made.bytes)
            let id = try #require(made["place"])
            let path = "v1/accounts/me/places/\(id)"
            let changed = try await world.send("PUT", path, Self.place("منزل أمي"), token: tokens.access)
            #expect(changed.status == 200)
            #expect(changed.json?["version"] == 2)
            let list = try await world.send("GET", "v1/accounts/me/places?market=assef", token: tokens.access)
            #expect(list.items.map { $0["name"] } == [.string("منزل أمي")])
            #expect(try await world.send("GET", path, token: tokens.access).headers["etag"] == "\"2\"")
            let asked = try await world.send("DELETE", path, token: tokens.access)
            #expect(asked.status == 409 && asked.slug == "place-confirmation-needed", "\(asked)")
            #expect(asked["name"] == "منزل أمي" && asked["detail"]?.contains("منزل أمي") == true)
            #expect(try await world.send("GET", path, token: tokens.access).status == 200)
            let confirmed = path + "?confirm=true"
            #expect(try await world.send("DELETE", confirmed, token: tokens.access).status == 204)
            #expect(try await world.send("DELETE", confirmed, token: tokens.access).status == 404)
            #expect(try await world.send("GET", path, token: tokens.access).status == 404)
            #expect(try await world.send("PUT", path, Self.place(), token: tokens.access).status == 404)
        }
    }

    @Test("I8: a place outside of the market's service area is refused, by the area as it is now")
    func area() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let outside = Self.place(latitude: 51.5, longitude: -0.1)
            let refused = try await world.post("accounts/me/places", outside, token: tokens.access)
            #expect(refused.fields == ["/coordinates": "outside-service-area"])
            let made = try await world.post("accounts/me/places", Self.place(), token: tokens.access)
            let path = "v1/accounts/me/places/\(try #require(made["place"]))"
            #expect(try await world.send("PUT", path, outside, token: tokens.access).status == 422)
            // As the handler of the setting's event does.
            var handlers = MessageHandlers()
            LiveMarkets.register(in: &handlers)
            #expect(Set(handlers.names).isSuperset(of: [SettingChanged.name, SettingsTold.name]))
            try await world.pool.execute(MoveArea())
            try await world.parts.markets.refresh()
            #expect(try await world.post("accounts/me/places", outside, token: tokens.access).status == 201)
            #expect(try await world.post("accounts/me/places", Self.place(), token: tokens.access).status == 422)
            // What was saved before stays, and says that nobody comes there any more.
            #expect(try await world.send("GET", path, token: tokens.access).json?["served"] == false)
        }
    }

    @Test("I8: whoever names the version that he has seen changes that one only; without it the last word counts")
    func versions() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let made = try await world.post("accounts/me/places", Self.place(), token: tokens.access)
            let path = "accounts/me/places/\(try #require(made["place"]))"
            func change(_ name: String, _ match: String?) async throws -> Answer {
                try await world.send("PUT", "v1/\(path)", Self.place(name), token: tokens.access, match: match)
            }
            #expect(try await change("One", "\"1\"").status == 200)
            let stale = try await change("Two", "\"1\"")
            #expect(stale.status == 412)
            #expect(stale.slug == "place-changed")
            #expect(stale.json?["version"] == 2)
            #expect(try await change("Two", "1").status == 412)
            #expect(try await change("Two", "W/\"2\"").status == 412)
            #expect(try await change("Two", "*").status == 200)
            #expect(try await change("Three", nil).json?["version"] == 4)
            #expect(
                try await world.send(
                    "DELETE", "v1/\(path)?confirm=true", token: tokens.access, match: "\"3\""
                ).status == 412)
            #expect(
                try await world.send(
                    "DELETE", "v1/\(path)?confirm=true", token: tokens.access, match: "\"4\""
                ).status == 204)
        }
    }

    @Test("I8: an account has at most fifty places, also when it saves them at once; they are listed by pages")
    func limit() async throws {
        try await World.run(["SERAI_HTTP_RATE_CALLER_BURST": "1000"]) { world async throws in
            let tokens = try await world.join(Person())
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<(SavedPlace.maximumPlaces + 4) {
                    group.addTask {
                        try await world.post("accounts/me/places", Self.place("\(number)"), token: tokens.access).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == SavedPlace.maximumPlaces)
            #expect(statuses.count { $0 == 409 } == 4)
            var seen: Set<String> = []
            var cursor: String?
            repeat {
                let path = "v1/accounts/me/places?market=assef&limit=20" + (cursor.map { "&cursor=\($0)" } ?? "")
                let page = try await world.send("GET", path, token: tokens.access)
                for case .string(let id)? in page.items.map({ $0["place"] }) { seen.insert(id) }
                cursor = page["next"]
            } while cursor != nil
            #expect(seen.count == SavedPlace.maximumPlaces)
        }
    }

    @Test("I8, P10: all that is wrong with a place is answered together, and what cannot be shown is refused")
    func wrong() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func fields(_ body: JSONValue) async throws -> [String: String] {
                try await world.post("accounts/me/places", body, token: tokens.access).fields
            }
            #expect(
                try await fields([:]) == [
                    "/market": "required", "/label": "required", "/name": "required", "/coordinates": "required",
                ])
            #expect(
                try await fields([
                    "market": "assef", "label": "castle", "name": .string(String(repeating: "n", count: 61)),
                    "description": 5, "address": "a\u{7}b", "coordinates": ["latitude": 91, "longitude": "x"],
                ]) == [
                    "/label": "not-a-choice", "/name": "too-long", "/description": "not-a-text",
                    "/address": "control-characters", "/coordinates/latitude": "out-of-range",
                    "/coordinates/longitude": "not-a-number",
                ])
            for name in ["\u{0}", "a\u{0}b", "a\u{E000}b", "\u{200F}", "\u{E000}", "\u{2800}"] {
                let code = try await fields(Self.place(name))["/name"]
                #expect(
                    ["unshowable", "control-characters", "required"].contains(code),
                    "\(name.unicodeScalars) \(code ?? "")")
            }
            for name in ["بيت الجدّة", "Rene\u{301}e's", "علی\u{200C}رضا", "🏠"] {
                let made = try await world.post("accounts/me/places", Self.place(name), token: tokens.access)
                #expect(made["name"] == name.precomposedStringWithCanonicalMapping)
            }
        }
    }

    @Test("I8, Q7: nobody else reads, changes or deletes a place, and nobody saves one where he has no role")
    func others() async throws {
        try await World.run { world async throws in
            let owner = try await world.join(Person())
            let made = try await world.post("accounts/me/places", Self.place(), token: owner.access)
            let path = "v1/accounts/me/places/\(try #require(made["place"]))"
            let others = [
                try await world.join(Person()), try await world.join(.provider()), try await world.admin(of: "assef"),
                try await world.admin(of: "*"), try await world.foreignAdmin(),
            ]
            for other in others {
                #expect(try await world.send("GET", path, token: other.access).status == 404)
                #expect(try await world.send("PUT", path, Self.place("Mine"), token: other.access).status == 404)
                #expect(try await world.send("DELETE", path, token: other.access).status == 404)
                let list = try await world.send("GET", "v1/accounts/me/places?market=assef", token: other.access)
                #expect(list.items.isEmpty)
            }
            let expired = try await world.expired(owner)
            for method in ["GET", "PUT", "DELETE"] {
                #expect(try await world.send(method, path, token: expired).slug == "token-expired")
                #expect(try await world.send(method, path).status == 401)
            }
            #expect(try await world.send("GET", path, token: owner.access)["name"] == "Home")
            let page = try await world.send("GET", "v1/accounts/me/places?market=mars", token: owner.access)
            #expect(page.slug == "invalid-query")
            #expect(try await world.send("GET", "v1/accounts/me/places", token: owner.access).status == 400)
        }
    }
}

/// What an admin's change of the area leaves in the table.
private struct MoveArea: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version)
        VALUES ('assef', 'serviceArea', '51,-1 52,-1 52,1 51,1', 1)
        """
}

extension World {
    /// - Parameter match: `If-Match`.
    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String, match: String?
    ) async throws -> Answer {
        try await send(method, path, body, token: token, headers: match.map { ["if-match": $0] } ?? [:])
    }
}
