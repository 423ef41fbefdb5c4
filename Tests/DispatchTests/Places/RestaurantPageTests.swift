import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C5: the public page of a restaurant", .timeLimit(.minutes(15)))
struct RestaurantPageTests {
    private struct AddStandingStars: Statement {
        static let sql: SQL = """
            INSERT INTO rating_sums (market, account, role, stars, count) VALUES ('btnc', $1, 'merchant', 9, 2)
            """
        let account: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(account) }
    }

    private static func card(_ more: String) -> String {
        """
        {"name": "Nonna", "latitude": \(PlacesGround.perth.latitude), "longitude": \(PlacesGround.perth.longitude),
         "preparationMinutes": 20, \(more)}
        """
    }

    @Test("B8, C5: address, phone, hours, picture and rating are read without an account, and not who owns it")
    func page() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await RestaurantTests.open(ground, "Nonna")
            let hours = """
                [{"day": "friday", "opens": "18:00", "closes": "02:00"}, \
                {"day": "monday", "opens": "11:30", "closes": "14:00"}]
                """
            let stored = try await ground.ask(
                .put, RestaurantTests.own,
                Self.card(
                    #""address": "1 Hay Street\nPerth", "phone": "+61 8 9200 0000", "hours": \#(hours)"#), as: owner,
                ["provider"])
            #expect(stored.status == 200, "\(stored.json)")
            try await ground.pool.execute(AddStandingStars(account: owner))
            let page = try await ground.ask(.get, "markets/btnc/restaurants/\(id)", as: nil)
            #expect(page.status == 200 && page.json["address"] == "1 Hay Street\nPerth", "\(page.json)")
            #expect(page.json["phone"]?.asText?.hasPrefix("+618") == true)
            #expect(page.json["rating"]?.asDouble == 4.5 && page.json["ratings"]?.asInt == 2)
            let spans = page.json["hours"]?.asList ?? []
            #expect(spans.compactMap { $0["day"]?.asText } == ["monday", "friday"])
            #expect(spans.first?["opens"] == "11:30" && spans.last?["closes"] == "02:00")
            #expect(page.json["menu"]?.asList?.count == 1)
            #expect(!"\(page.json)".contains(owner.text))
            #expect(try await ground.ask(.get, "markets/assef/restaurants/\(id)", as: nil).status == 404)
            #expect(try await ground.ask(.get, "markets/btnc/restaurants/\(UUID().uuidString)", as: nil).status == 404)
            // Whose papers are withdrawn has no page any more.
            try await ground.tell(owner, version: 2, title: "restaurant", isVerified: false)
            #expect(try await ground.ask(.get, "markets/btnc/restaurants/\(id)", as: nil).status == 404)
        }
    }

    @Test("C5, P7: a restaurant keeps its Arabic name in every view, and one that has no other has it in each language")
    func arabicName() async throws {
        try await PlacesGround.run { ground in
            let both = try await RestaurantTests.open(ground, "Levant", arabic: "بلاد الشام")
            let alone = try await RestaurantTests.open(ground, "مطعم نونا")
            let list = "markets/btnc/restaurants?\(PlacesGround.query(PlacesGround.perth))"
            for (language, names) in [("en", ["Levant", "مطعم نونا"]), ("ar", ["بلاد الشام", "مطعم نونا"])] {
                let listed = try await ground.ask(.get, list, as: .timeOrdered(), language: language)
                #expect(Set(listed.items.compactMap { $0["name"]?.asText }) == Set(names))
                for (one, name) in zip([both, alone], names) {
                    let views: [(path: String, reader: UUID, roles: [String])] = [
                        (RestaurantTests.own, one.owner, ["provider"]),
                        ("restaurants/\(one.id)", .timeOrdered(), ["customer"]),
                    ]
                    for (path, reader, roles) in views {
                        let seen = try await ground.ask(.get, path, as: reader, roles, language: language)
                        #expect(seen.json["name"]?.asText == name, "\(path)")
                    }
                    let page = try await ground.ask(
                        .get, "markets/btnc/restaurants/\(one.id)", as: nil, language: language)
                    #expect(page.json["name"]?.asText == name)
                    #expect(page.json["names"]?["ar"]?.asText == (one.id == both.id ? "بلاد الشام" : nil))
                }
            }
        }
    }

    @Test("B8, C5, P10: each part of a page that is wrong is named; times of day are strict, and no two begin at once")
    func faults() async throws {
        try await PlacesGround.run { ground in
            let (owner, _) = try await RestaurantTests.open(ground, "Nonna")
            func codes(_ more: String) async throws -> [String: String] {
                try await ground.ask(.put, RestaurantTests.own, Self.card(more), as: owner, ["provider"]).codes
            }
            #expect(try await codes(#""phone": "12""#) == ["/phone": "not-a-phone-number"])
            #expect(
                try await codes(#""hours": [{"day": "someday", "opens": "9:00", "closes": "24:00"}]"#)
                    == [
                        "/hours/0/day": "not-a-choice", "/hours/0/opens": "not-a-time-of-day",
                        "/hours/0/closes": "not-a-time-of-day",
                    ])
            let twice = #"{"day": "monday", "opens": "09:00", "closes": "10:00"}"#
            #expect(try await codes(#""hours": [\#(twice), \#(twice)]"#) == ["/hours": "repeated-hours"])
            #expect(try await codes(#""picture": "\#(UUID().uuidString)""#) == ["/picture": "not-your-photo"])
        }
    }
}
