import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import Testing
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C3: available providers", .timeLimit(.minutes(15)))
struct SearchTests {
    @Test("C3: nearest first by travel time, with name, title, rating, prices, total and time away")
    func list() async throws {
        try await ProvidersGround.run { ground in
            let far = try await ground.free(
                "Far", metresNorth: 5_000, prices: ["wound-care": 10_000, "injection": 500])
            let near = try await ground.free(
                "Near", gender: .male, metresNorth: 1_000, prices: ["injection": 700, "wound-care": 20_000])
            try await ground.pool.execute(PutTestRating(account: near, role: "provider", stars: 14, count: 3))
            try await ground.pool.execute(PutTestRating(account: near, role: "customer", stars: 1, count: 1))
            #expect(try await ground.list("services=wound-care,injection") == [near, far].map(\.lower))

            let answer = try await ground.get(
                "markets/assef/providers?services=wound-care,injection&\(ProvidersGround.here)", as: UUID(),
                language: "ar")
            let first = try #require(answer.items.first)
            #expect(first["name"] == "Near" && first["title"] == "nurse" && first["titleName"] == "ممرض")
            #expect(first["gender"] == "male" && first["rating"]?.asDouble == 4.67 && first["ratingCount"] == 3)
            #expect(first["total"]?["amount"] == 20_700 && first["total"]?["currency"] == "SAR")
            let prices = first["prices"]?.asList?.map { [$0["service"]?.asText ?? "", "\($0["price"]?.asInt ?? 0)"] }
            #expect(prices == [["wound-care", "20000"], ["injection", "700"]])
            // 1268 m and 198 s from the middle of the cell.
            #expect(first["metresAway"] == 1_500 && first["secondsAway"] == 180)
            #expect(answer.items.last?["rating"] == nil && answer.items.last?["ratingCount"] == 0)
        }
    }

    @Test("C3: only who is free, fresh, within the radius and does all of it is shown; never oneself")
    func onlyFree() async throws {
        try await ProvidersGround.run { ground in
            let good = try await ground.free("Good")
            let busy = try await ground.free("Busy")
            _ = try await ground.order(state: "accepted", provider: busy)
            let off = try await ground.free("Off")
            _ = try await ground.put("markets/assef/availability", #"{"available":false}"#, as: off)
            let rejected = try await ground.free("Rejected")
            try await ground.tell(rejected, version: 2, isVerified: false)
            try await ground.free("Stale", age: 121)
            try await ground.free("Outside", metresNorth: 51_000)
            try await ground.free("Half", prices: ["injection": 100])
            let nowhere = try await ground.tell(name: "Nowhere")
            ground.place(nowhere, metresNorth: 0)
            ground.place(UUID(), metresNorth: 0)

            #expect(try await ground.list() == [good.lower])
            #expect(try await ground.list("services=wound-care", as: good) == [])
            _ = try await ground.order(state: "completed", provider: busy, isHeld: false)
            #expect(Set(try await ground.list()) == [good.lower, busy.lower])
        }
    }

    @Test("C3: filtered by gender, and searched by name whatever the case, also in Arabic")
    func filters() async throws {
        try await ProvidersGround.run { ground in
            let sara = try await ground.free("Sara Al-Otaibi", gender: .female, metresNorth: 1)
            let ahmad = try await ground.free("أحمد الغامدي", gender: .male, metresNorth: 2)
            let other = try await ground.free("Noor 100%_", gender: nil, metresNorth: 3)
            func list(_ query: String) async throws -> [String] {
                let escaped = query.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
                return try await ground.list("services=wound-care&\(escaped)")
            }
            #expect(try await list("") == [sara, ahmad, other].map(\.lower))
            #expect(try await list("gender=female") == [sara.lower])
            #expect(try await list("gender=male") == [ahmad.lower])
            #expect(try await list("name=OTAIBI") == [sara.lower])
            #expect(try await list("name=احمد") == [ahmad.lower])
            #expect(try await list("name=أَحْمَد") == [ahmad.lower])
            // No pattern, no quoting: just letters.
            #expect(try await list("name=100%_") == [other.lower])
            #expect(try await list("name=%") == [other.lower])
            #expect(try await list("name='; DROP TABLE people; --") == [])
            #expect(try await list("gender=male&name=sara") == [])
        }
    }

    @Test("C3: it looks further away until there are enough, and shows no more than asked for")
    func widening() async throws {
        try await ProvidersGround.run { ground in
            // Many who are near and not free, and a few who are.
            for number in 0..<700 { ground.place(UUID(), metresNorth: Double(number)) }
            var free: [UUID] = []
            for number in 0..<5 {
                free.append(try await ground.free("Nurse \(number)", metresNorth: 1_000 + Double(number) * 10))
            }
            #expect(try await ground.list("services=wound-care&limit=3") == free.prefix(3).map(\.lower))
            #expect(try await ground.list() == free.map(\.lower))
        }
    }

    @Test("C3: the list has pages, from the nearest ones to the farthest; nobody is left out or shown twice")
    func pages() async throws {
        try await ProvidersGround.run { ground in
            var free: [UUID] = []
            for number in 0..<7 {
                // Two in each cell, and one who is alone.
                free.append(try await ground.free("Nurse \(number)", metresNorth: Double(number / 2) * 2_000))
            }
            var (shown, pages, cursor): ([String], Int, String?) = ([], 0, nil)
            let caller = UUID.timeOrdered()
            repeat {
                let more = cursor.map { "&cursor=\($0)" } ?? ""
                let answer = try await ground.get(
                    "markets/assef/providers?services=wound-care&limit=3&\(ProvidersGround.here)\(more)", as: caller)
                #expect(answer.status == 200 && answer.items.count <= 3)
                shown += answer.items.compactMap { $0["provider"]?.asText }
                cursor = answer.json["next"]?.asText
                pages += 1
            } while cursor != nil && pages < 9
            #expect(shown == free.map(\.lower) && pages == 3)
            // Another search, or another person, has pages of its own.
            let first = try await ground.get(
                "markets/assef/providers?services=wound-care&limit=3&\(ProvidersGround.here)", as: caller)
            let next = try #require(first.json["next"]?.asText)
            let foreign = try await ground.get(
                "markets/assef/providers?services=injection&limit=3&\(ProvidersGround.here)&cursor=\(next)", as: caller)
            #expect(foreign.status == 400 && foreign.slug == "invalid-cursor")
        }
    }

    @Test("C3, I6: the list shows pictures, and the market's logo where there is none, until the picture is gone")
    func pictures() async throws {
        try await ProvidersGround.run { ground in
            let sara = try await ground.free("Sara")
            func avatar() async throws -> String? {
                let answer = try await ground.get(
                    "markets/assef/providers?services=wound-care&\(ProvidersGround.here)", as: UUID())
                return answer.items.first?["avatar"]?.asText
            }
            #expect(try await avatar() == "/identity/v1/markets/assef/logo")
            try await ground.tell(sara, version: 2, avatar: "a1.webp")
            #expect(try await avatar() == "/identity/v1/avatars/a1.webp")
            try await ground.tell(sara, version: 3)
            #expect(try await avatar() == "/identity/v1/markets/assef/logo")
        }
    }

    @Test("O6: free providers are shown on the map, coarsely and without names")
    func nearby() async throws {
        try await ProvidersGround.run { ground in
            try await ground.free("Free", metresNorth: 1_234)
            let busy = try await ground.free("Busy", metresNorth: 10)
            _ = try await ground.order(state: "enRoute", provider: busy)
            let answer = try await ground.get("markets/assef/nearby?\(ProvidersGround.here)", as: UUID())
            #expect(answer.status == 200 && answer.items.count == 1)
            let item = try #require(answer.items.first)
            if case .object(let members) = item { #expect(Set(members.keys) == ["latitude", "longitude"]) }
            let coarse = ProvidersGround.north(1_234).coarse
            #expect(item["latitude"]?.asDouble == coarse.latitude && item["longitude"]?.asDouble == coarse.longitude)
        }
    }

    @Test(
        "P10: a wrong query is a 400 that names the parameter",
        arguments: [
            ("latitude=24.7&longitude=46.7", "/services", "required"),
            ("services=&latitude=24.7&longitude=46.7", "/services", "required"),
            ("services=magic&latitude=24.7&longitude=46.7", "/services", "not-a-choice"),
            ("services=,&latitude=24.7&longitude=46.7", "/services", "not-a-choice"),
            ("services=injection&longitude=46.7", "/latitude", "required"),
            ("services=injection&latitude=nan&longitude=46.7", "/latitude", "not-a-number"),
            ("services=injection&latitude=91&longitude=46.7", "/latitude", "out-of-range"),
            ("services=injection&latitude=24.7&longitude=-inf", "/longitude", "not-a-number"),
            ("services=injection&latitude=24.7&longitude=east", "/longitude", "not-a-number"),
            ("services=injection&latitude=24.7&longitude=46.7&limit=0", "/limit", "out-of-range"),
            ("services=injection&latitude=24.7&longitude=46.7&limit=101", "/limit", "out-of-range"),
            ("services=injection&latitude=24.7&longitude=46.7&limit=ten", "/limit", "out-of-range"),
            ("services=injection&latitude=24.7&longitude=46.7&gender=other", "/gender", "not-a-choice"),
            (
                "services=injection&latitude=24.7&longitude=46.7&name=\(String(repeating: "x", count: 101))", "/name",
                "too-long"
            ),
            // A tower of accents is cut; letters under one each are not.
            (
                "services=injection&latitude=24.7&longitude=46.7&name=\(String(repeating: "a%CC%81", count: 401))",
                "/name",
                "too-long"
            ),
        ])
    func wrongInput(query: String, field: String, code: String) async throws {
        try await ProvidersGround.run { ground in
            let answer = try await ground.get("markets/assef/providers?\(query)", as: UUID())
            #expect(answer.status == 400 && answer.slug == "invalid-query" && answer.codes[field] == code, "\(answer)")
        }
    }
}

extension UUID {
    /// As it is written in answers.
    var lower: String { uuidString.lowercased() }
}
