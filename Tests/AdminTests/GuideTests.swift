import Foundation
import NIOHTTP1
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiAdmin

@Suite("The guide for pilgrims", .timeLimit(.minutes(15)))
struct GuideTests {
    private let contract: OpenAPIContract

    init() throws {
        contract = try OpenAPIContract(yaml: String(decoding: AdminService.openAPI, as: UTF8.self))
    }

    /// Reads without an account, and holds the answer against the document.
    private func get(
        _ fixture: AdminFixture, _ path: String, _ query: String = "", headers: [String: String] = [:]
    ) async throws -> TestAnswer {
        let path = "/admin/v1/guide/\(path)"
        let answer = try await fixture.send(.GET, path + query, as: nil, headers: headers)
        let exchange = HTTPExchange(
            "GET", path, status: answer.status, answerType: answer.headers.first(name: "content-type"),
            answerBody: Data(answer.text.utf8))
        #expect(contract.faults(in: exchange) == [], "\(path)\(query)")
        return answer
    }

    private func days(_ answer: TestAnswer) throws -> [JSONValue] { try answer.json["days"]?.array ?? [] }

    @Test("H1, H6: without an account everybody reads a day's prayer times in Makkah, with its Hijri date")
    func day() async throws {
        try await AdminFixture.running { fixture async throws in
            let answer = try await get(fixture, "prayer-times", "?city=makkah&date=2026-01-01")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers.first(name: "cache-control") == "public, max-age=86400")
            let json = try answer.json
            #expect(json["city"]?.string == "makkah" && json["timeZone"]?.string == "Asia/Riyadh")
            #expect(json["method"]?.string == "ummAlQura" && json["madhab"]?.string == "shafi")
            let day = try #require(try days(answer).first)
            #expect(day["day"]?.string == "2026-01-01")
            // As the other implementation's table of Makkah has them: 05:37, 06:59, 12:24, 15:29, 17:50 and 19:20.
            let times = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"].map { day["times"]?[$0]?.string ?? "" }
            #expect(
                times.map { $0.prefix(16) } == [
                    "2026-01-01T02:37", "2026-01-01T03:59", "2026-01-01T09:24", "2026-01-01T12:29", "2026-01-01T14:50",
                    "2026-01-01T16:20",
                ])
            #expect(times.allSatisfy { $0.hasSuffix("Z") })
            #expect(day["hijri"]?["year"]?.integer == 1_447 && day["hijri"]?["month"]?.integer == 7)
            #expect(day["hijri"]?["day"]?.integer == 12)

            let tag = try #require(answer.headers.first(name: "etag"))
            let same = try await get(
                fixture, "prayer-times", "?city=makkah&date=2026-01-01", headers: ["if-none-match": tag])
            #expect(same.status == 304 && same.text.isEmpty)
            let today = try await get(fixture, "prayer-times", "?city=makkah")
            #expect(try days(today).count == 1)
            #expect(today.headers.first(name: "cache-control") == "public, max-age=60")
        }
    }

    @Test("H1: a month has each of its days, and Ramadan's evenings in Makkah are two hours long")
    func month() async throws {
        try await AdminFixture.running { fixture async throws in
            let answer = try await get(fixture, "prayer-times", "?city=mina&month=%D9%A2%D9%A0%D9%A2%D9%A6-02")
            #expect(answer.status == 200, "\(answer.text)")
            let days = try days(answer)
            #expect(days.count == 28)
            for day in days {
                let isRamadan = day["hijri"]?["month"]?.integer == 9
                let maghrib = try #require(Timestamp.parse(day["times"]?["maghrib"]?.string ?? ""))
                let isha = try #require(Timestamp.parse(day["times"]?["isha"]?.string ?? ""))
                #expect(isha.timeIntervalSince(maghrib) == (isRamadan ? 7_200 : 5_400))
            }
            #expect(days.count { $0["hijri"]?["month"]?.integer == 9 } == 11)
        }
    }

    @Test("H1: a position anywhere has its times by the chosen method, and its Qibla to a tenth of a degree")
    func position() async throws {
        try await AdminFixture.running { fixture async throws in
            let london = try await get(
                fixture, "prayer-times",
                "?latitude=51.5074&longitude=-0.1278&timeZone=Europe/London&date=2026-06-21"
                    + "&method=moonsightingCommittee&madhab=hanafi&highLatitude=seventhOfTheNight")
            #expect(london.status == 200, "\(london.text)")
            let json = try london.json
            #expect(json["city"] == nil && json["madhab"]?.string == "hanafi")
            #expect(json["qibla"] == .number(119.0) || json["qibla"] == .integer(119), "\(london.text)")
            let pole = try await get(
                fixture, "prayer-times", "?latitude=78.22&longitude=15.65&timeZone=Arctic/Longyearbyen&date=2026-06-21")
            let day = try #require(try days(pole).first)
            #expect(day["times"] == nil && day["polar"]?.string == "sunNeverSets")
        }
    }

    @Test("H1: the next prayer is ahead, and the time left is counted from the service's clock")
    func next() async throws {
        try await AdminFixture.running { fixture async throws in
            let answer = try await get(fixture, "next-prayer", "?city=madinah")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers.first(name: "cache-control") == "public, max-age=10")
            let at = try #require(Timestamp.parse(try answer.json["at"]?.string ?? ""))
            let next = try #require(try answer.json["next"])
            let time = try #require(Timestamp.parse(next["time"]?.string ?? ""))
            let left = try #require(next["secondsLeft"]?.integer)
            #expect(left >= 1 && abs(time.timeIntervalSince(at) - Double(left)) <= 1)
            #expect(["fajr", "dhuhr", "asr", "maghrib", "isha"].contains(next["prayer"]?.string))
        }
    }

    @Test("H1, P7: the cities have names in the reader's language, Makkah first, and each has prayer times")
    func cities() async throws {
        try await AdminFixture.running { fixture async throws in
            let english = try await get(fixture, "cities")
            let arabic = try await get(fixture, "cities", headers: ["accept-language": "ar"])
            #expect(try english.json.items.first?["name"]?.string == "Makkah")
            #expect(try arabic.json.items.first?["name"]?.string == "مكة المكرمة")
            #expect(arabic.headers.first(name: "content-language") == "ar")
            let ids = try english.json.items.compactMap { $0["id"]?.string }
            #expect(ids.count == GuideCity.all.count && Set(ids).count == ids.count)
            for id in ids {
                let answer = try await get(fixture, "prayer-times", "?city=\(id)&date=2026-11-28")
                #expect(try days(answer).first?["times"]?["fajr"] != nil, "\(id)")
            }
        }
    }

    @Test("P10: what is wrong in a question to the guide is named, all at once")
    func wrong() async throws {
        try await AdminFixture.running { fixture async throws in
            let cases: [(String, [String: String])] = [
                ("", ["/city": "city-or-position"]),
                ("?city=makkah&latitude=1&longitude=2", ["/city": "city-or-position"]),
                ("?city=atlantis", ["/city": "not-a-choice"]),
                ("?latitude=1", ["/longitude": "required"]),
                ("?latitude=north&longitude=181", ["/latitude": "not-a-number", "/longitude": "out-of-range"]),
                ("?latitude=nan&longitude=1e3", ["/latitude": "not-a-number", "/longitude": "not-a-number"]),
                ("?latitude=91&longitude=0", ["/latitude": "out-of-range"]),
                (
                    "?city=makkah&method=mine&madhab=none&highLatitude=low",
                    ["/method": "not-a-choice", "/madhab": "not-a-choice", "/highLatitude": "not-a-choice"]
                ),
                ("?city=makkah&date=2026-02-30", ["/date": "not-a-day"]),
                ("?city=makkah&date=1999-12-31", ["/date": "out-of-range"]),
                ("?city=makkah&date=2077-01-01", ["/date": "out-of-range"]),
                ("?city=makkah&month=2026-13", ["/month": "not-a-month"]),
                ("?city=makkah&month=2026", ["/month": "not-a-month"]),
                ("?city=makkah&date=2026-01-01&month=2026-01", ["/month": "date-or-month"]),
                ("?city=makkah&timeZone=Nowhere/Land", ["/timeZone": "not-a-time-zone"]),
                ("?city=makkah&timeZone=../../etc/passwd", ["/timeZone": "not-a-time-zone"]),
                ("?city=makkah&timeZone=%2B03:00", ["/timeZone": "not-a-time-zone"]),
                ("?city=makkah&year=2026", ["/year": "unknown-parameter"]),
            ]
            for (query, codes) in cases {
                let answer = try await get(fixture, "prayer-times", query)
                #expect(answer.status == 400, "\(query): \(answer.text)")
                #expect(try answer.codes == codes, "\(query)")
            }
            #expect(
                try await get(fixture, "next-prayer", "?city=makkah&date=2026-01-01").codes == [
                    "/date": "unknown-parameter"
                ])
            #expect(try await get(fixture, "cities", "?name=a").codes == ["/name": "unknown-parameter"])
            #expect(
                try await fixture.send(.POST, "/admin/v1/guide/cities", as: fixture.admin, body: "{}").status == 405)
        }
    }
}
