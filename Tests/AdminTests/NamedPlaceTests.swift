import Contracts
import Foundation
import Matching
import Messaging
import NIOHTTP1
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiAdmin

@Suite("Named places of the guide", .timeLimit(.minutes(15)))
struct NamedPlaceTests {
    private static let admins = "/admin/v1/markets/assef/places"
    private static let open = "/admin/v1/markets/assef/guide/places"

    private static func body(
        _ english: String, _ arabic: String, id: String? = nil, city: String = "makkah", category: String = "hospital",
        _ latitude: Double = 21.42, _ longitude: Double = 39.83, more: String = ""
    ) -> String {
        """
        {\(id.map { #""id": "\#($0)", "# } ?? "")"city": "\(city)", "category": "\(category)",
         "names": {"en": "\(english)", "ar": "\(arabic)"}, "latitude": \(latitude), "longitude": \(longitude)\(more)}
        """
    }

    @discardableResult
    private static func add(
        _ fixture: AdminFixture, _ body: String, as caller: TestCaller? = nil, in path: String = admins
    ) async throws -> TestAnswer {
        try await fixture.send(
            .POST, path, as: caller ?? fixture.admin, body: body, headers: ["Idempotency-Key": UUID.timeOrdered().text])
    }

    private static func ids(_ answer: TestAnswer) throws -> [String] {
        try answer.json.items.compactMap { $0["id"]?.string }
    }

    @Test("H3, H6: everybody finds a place by city, category and a part of its name in both scripts")
    func find() async throws {
        try await AdminFixture.running { fixture async throws in
            let places = [
                ("ajyad", "Ajyad Hospital", "مستشفى أجياد", "makkah", "hospital", 21.42, 39.83),
                ("mina-one", "Mina Hospital", "مستشفى منى", "mina", "hospital", 21.41, 39.89),
                ("station", "Police of Makkah", "شرطة مكة", "makkah", "police", 21.43, 39.82),
            ]
            for (id, english, arabic, city, category, latitude, longitude) in places {
                let answer = try await Self.add(
                    fixture,
                    Self.body(english, arabic, id: id, city: city, category: category, latitude, longitude))
                #expect(answer.status == 201, "\(answer.text)")
            }
            func found(_ query: String) async throws -> [String] {
                let answer = try await fixture.send(.GET, Self.open + query, as: nil)
                #expect(answer.status == 200, "\(query) \(answer.text)")
                return try Self.ids(answer)
            }
            #expect(try await found("") == ["ajyad", "station", "mina-one"])
            #expect(try await found("?city=makkah") == ["ajyad", "station"])
            #expect(try await found("?category=hospital") == ["ajyad", "mina-one"])
            #expect(try await found("?text=AJYAD%20hosp") == ["ajyad"])
            // Without the hamza that is in the name.
            #expect(try await found("?text=%D8%A7%D8%AC%D9%8A%D8%A7%D8%AF") == ["ajyad"])
            #expect(try await found("?text=nowhere") == [])
            for query in ["?city=paris", "?category=shop", "?x=1"] {
                #expect(try await fixture.send(.GET, Self.open + query, as: nil).status == 400, "\(query)")
            }
            // The nearest first; where somebody is stands in no address.
            let near = try await fixture.send(
                .POST, "\(Self.open)/nearest", as: nil,
                body: #"{"latitude": 21.411, "longitude": 39.889, "category": "hospital", "limit": 1}"#)
            #expect(near.status == 200, "\(near.text)")
            #expect(near.headers.first(name: "cache-control") == "no-store")
            #expect(try Self.ids(near) == ["mina-one"])
            #expect((100...200).contains(try near.json.items.first?["metres"]?.integer ?? 0), "\(near.text)")
            for body in [#"{"latitude": 0, "longitude": 0}"#, #"{"latitude": 91, "longitude": 39}"#, "{}"] {
                #expect(try await fixture.send(.POST, "\(Self.open)/nearest", as: nil, body: body).status == 422)
            }
        }
    }

    @Test(
        "H3, P9: a place is changed and hidden, is audited with before and after, and the second of two admins is told")
    func change() async throws {
        try await AdminFixture.running { fixture async throws in
            try await Self.add(fixture, Self.body("Ajyad", "أجياد", id: "ajyad"))
            let kept = try await fixture.send(.GET, Self.open, as: nil)
            let tag = try #require(kept.headers.first(name: "etag"))
            #expect(kept.headers.first(name: "cache-control") == "public, max-age=300")
            #expect(try await fixture.send(.GET, Self.open, as: nil, headers: ["If-None-Match": tag]).status == 304)
            let one = try #require(try await fixture.read(Self.admins).items.first)
            let version = try #require(one["version"]?.integer)
            let path = "\(Self.admins)/ajyad"
            let changed = try await fixture.send(
                .PUT, path, as: fixture.admin, body: Self.body(" Ajyad Hospital ", "مستشفى أجياد"),
                headers: ["If-Match": "\"\(version)\""])
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try changed.json["names"]?["en"]?.string == "Ajyad Hospital")
            let late = try await fixture.send(
                .PUT, path, as: fixture.master, body: Self.body("Other", "آخر"), headers: ["If-Match": "\"\(version)\""]
            )
            #expect(late.status == 412)
            #expect(try late.slug == "place-changed")
            let after = try await fixture.send(.GET, Self.open, as: nil, headers: ["If-None-Match": tag])
            #expect(after.status == 200)
            #expect(try after.json["revision"]?.integer ?? 0 > (try kept.json["revision"]?.integer ?? 0))
            let hidden = try await fixture.send(
                .PUT, path, as: fixture.admin, body: Self.body("Ajyad", "أجياد", more: #", "active": false"#))
            #expect(hidden.status == 200)
            #expect(try Self.ids(try await fixture.send(.GET, Self.open, as: nil)) == [])
            #expect(try await fixture.read(Self.admins).items.count == 1)
            let log = try await fixture.acts()
            #expect(log.compactMap { $0["action"]?.string } == ["place.changed", "place.changed", "place.added"])
            #expect(log.first?["subject"]?.string == "ajyad")
            #expect(log.first?["before"]?["english"]?.string == "Ajyad Hospital")
            #expect(log.first?["after"]?["isActive"] == .bool(false))
            // Of one market nothing is seen in another.
            let other = try await fixture.send(.GET, "/admin/v1/markets/btnc/guide/places", as: nil)
            #expect(try Self.ids(other) == [])
            #expect(try await fixture.send(.GET, "/admin/v1/markets/nowhere/guide/places", as: nil).status == 404)
        }
    }

    @Test("H3, Q7: only admins of the market edit its places")
    func callers() async throws {
        try await AdminFixture.running { fixture async throws in
            let customer = TestCaller(roles: [MarketRole(market: "assef", role: "customer")])
            let provider = TestCaller(roles: [MarketRole(market: "assef", role: "provider")])
            let elsewhere = TestCaller(roles: [MarketRole(market: "btnc", role: "admin")])
            let support = TestCaller(roles: [MarketRole(market: "assef", role: "support")])
            let body = Self.body("Ajyad", "أجياد", id: "ajyad")
            for caller in [customer, provider, elsewhere, support] {
                #expect(try await Self.add(fixture, body, as: caller).status == 403)
                #expect(try await fixture.send(.PUT, "\(Self.admins)/ajyad", as: caller, body: body).status == 403)
            }
            for caller in [customer, provider, elsewhere] {
                #expect(try await fixture.send(.GET, Self.admins, as: caller).status == 403)
            }
            #expect(try await fixture.send(.GET, Self.admins, as: support).status == 200)
            #expect(try await fixture.send(.GET, Self.admins, as: nil).status == 401)
            #expect(try await fixture.send(.PUT, "\(Self.admins)/ajyad", as: nil, body: body).status == 401)
            #expect(try Self.ids(try await fixture.send(.GET, Self.open, as: nil)) == [])
        }
    }

    @Test("H3: what an admin writes is checked: the id, the city, both names, and that the pin is near the city")
    func faults() async throws {
        try await AdminFixture.running { fixture async throws in
            let wrong = [
                Self.body("Ajyad", "أجياد", id: "A place"), Self.body("Ajyad", "أجياد", id: "a", city: "paris"),
                Self.body("Ajyad", "", id: "a"), Self.body("Ajyad", "أجياد", id: "a", category: "shop"),
                Self.body("Ajyad", "أجياد", id: "a", 24.71, 46.67), Self.body("Ajyad", "أجياد", id: "a", 0, 0),
            ]
            for body in wrong {
                let answer = try await Self.add(fixture, body)
                #expect(answer.status == 422, "\(body) \(answer.text)")
            }
            let put = try await fixture.send(
                .PUT, "\(Self.admins)/a", as: fixture.admin, body: Self.body("Ajyad", "أجياد"))
            #expect(put.status == 404)
            #expect(try await Self.add(fixture, Self.body("Ajyad", "أجياد", id: "a")).status == 201)
            let again = try await Self.add(fixture, Self.body("Ajyad", "أجياد", id: "a"))
            #expect(again.status == 409)
            #expect(try again.slug == "place-exists")
        }
    }

    @Test("H3: the list that a market begins with has each place once, near its city, with both names")
    func seeds() {
        let seeds = NamedPlace.seeds(of: "hajji")
        #expect(seeds.count > 15 && Set(seeds.map(\.id)).count == seeds.count)
        for place in seeds {
            #expect(GuideCity.named(place.city).map(place.isNear) == true, "\(place.id)")
            #expect(!place.english.isEmpty && !place.arabic.isEmpty && place.isActive)
        }
        for category in [NamedPlace.Category.haram, .gate, .hospital, .camp] {
            #expect(seeds.contains { $0.category == category })
        }
        #expect(NamedPlace.seeds(of: "assef").isEmpty)
        // By foot it is some hundred metres from Safa to Marwah.
        let safa = GeoPoint(latitude: 21.4220, longitude: 39.8274)
        let nearest = NamedPlace.nearest(seeds.filter { $0.category == .ritual }, to: safa, limit: 2)
        #expect(nearest.map(\.place.id) == ["safa", "marwah"])
        #expect((300...450).contains(nearest.last?.metres ?? 0))
    }
}
