import Foundation
import Postgres
import SeraiJSON
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C2: offerings", .timeLimit(.minutes(15)))
struct OfferingTests {
    static let path = "markets/assef/offerings"

    @Test("C2: a provider sees the services of the title, and chooses with prices; a new set takes the old one's place")
    func choose() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.tell(title: "nurse")
            var answer = try await ground.get(Self.path, as: nurse, "provider", language: "en")
            #expect(answer.status == 200 && answer.json["currency"] == "SAR")
            var offerings = answer.json["offerings"]?.asList ?? []
            #expect(
                offerings.compactMap { $0["service"]?.asText }
                    == ["wound-care", "injection", "vital-signs", "physiotherapy-session"])
            #expect(offerings.allSatisfy { $0["chosen"] == false && $0["price"] == nil })
            #expect(offerings.first?["name"] == "Wound care")
            #expect(offerings.first?["type"] == "nursing" && offerings.first?["typeName"] == "Nursing")
            #expect(offerings.first?["image"] == "/dispatch/v1/markets/assef/images/wound-care.svg")

            let body = #"{"offerings":[{"service":"wound-care","price":15000},{"service":"injection","price":5000}]}"#
            for _ in 0..<2 { #expect(try await ground.put(Self.path, body, as: nurse).status == 200) }
            answer = try await ground.put(
                Self.path, #"{"offerings":[{"service":"injection","price":7000}]}"#, as: nurse)
            offerings = (answer.json["offerings"]?.asList ?? []).filter { $0["chosen"] == true }
            #expect(offerings.count == 1 && offerings.first?["price"] == 7000)
            #expect(offerings.first?["service"] == "injection")
        }
    }

    @Test("C2: a title may do its own services only; all mistakes are answered together")
    func refused() async throws {
        try await ProvidersGround.run { ground in
            let doctor = try await ground.tell(title: "doctor")
            let answer = try await ground.get(Self.path, as: doctor, "provider", language: "ar")
            #expect(answer.json["offerings"]?.asList?.count == 1)
            #expect(answer.json["offerings"]?.asList?.first?["name"] == "جلسة علاج طبيعي")

            let wrong = try await ground.put(
                Self.path,
                """
                {"offerings":[{"service":"physiotherapy-session","price":1},{"service":"injection","price":1},\
                {"service":"magic","price":1},{"service":"physiotherapy-session","price":1}]}
                """, as: doctor)
            #expect(wrong.status == 422 && wrong.slug == "invalid-fields")
            #expect(
                wrong.codes == [
                    "/offerings/1/service": "offering-not-for-title", "/offerings/2/service": "offering-unknown",
                    "/offerings/3/service": "offering-twice",
                ])
            let kept = try await ground.pool.query(
                ListOfferings(market: "assef", account: doctor, currency: .riyal))
            #expect(kept.isEmpty)
        }
    }

    @Test(
        "P10: a wrong price or body names the field and changes nothing",
        arguments: [
            (#"{"offerings":[{"service":"injection","price":0}]}"#, "/offerings/0/price", "out-of-range"),
            (#"{"offerings":[{"service":"injection","price":-5}]}"#, "/offerings/0/price", "out-of-range"),
            (#"{"offerings":[{"service":"injection","price":10000001}]}"#, "/offerings/0/price", "out-of-range"),
            (#"{"offerings":[{"service":"injection","price":1.5}]}"#, "/offerings/0/price", "not-a-whole-number"),
            (#"{"offerings":[{"service":"injection"}]}"#, "/offerings/0/price", "required"),
            (#"{"offerings":[{"price":1}]}"#, "/offerings/0/service", "required"),
            (#"{"offerings":[7]}"#, "/offerings/0", "not-an-object"),
            (#"{"offerings":{}}"#, "/offerings", "not-a-list"), (#"{}"#, "/offerings", "required"),
        ])
    func wrongInput(body: String, field: String, code: String) async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free(prices: ["injection": 100])
            let answer = try await ground.put(Self.path, body, as: nurse)
            #expect(answer.status == 422 && answer.codes[field] == code, "\(answer)")
            let kept = try await ground.pool.query(
                ListOfferings(market: "assef", account: nurse, currency: .riyal))
            #expect(kept == [Offering(service: "injection", price: 100)])
        }
    }

    @Test("P2: prices that are said to be in another currency than the market's are refused, and change nothing")
    func otherCurrency() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free(prices: ["injection": 100])
            let offerings = #""offerings":[{"service":"injection","price":7000}]"#
            let refused = try await ground.put(Self.path, #"{"currency":"USD",\#(offerings)}"#, as: nurse)
            #expect(refused.status == 422 && refused.codes == ["/currency": "not-the-markets-currency"])
            let same = try await ground.put(Self.path, #"{"currency":"SAR",\#(offerings)}"#, as: nurse)
            #expect(same.status == 200 && same.json["currency"] == "SAR")
            let kept = try await ground.pool.query(
                ListOfferings(market: "assef", account: nurse, currency: .riyal))
            #expect(kept == [Offering(service: "injection", price: 7_000)])
            // In another currency of the market it counts no more.
            let dollars = PriceCurrency(code: "USD", first: "SAR")
            let offered = try await ground.pool.query(
                ListOfferings(market: "assef", account: nurse, currency: dollars))
            #expect(offered.isEmpty)
        }
    }

    @Test("C4: who offers nothing any more is no longer available")
    func nothingLeft() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            #expect(try await ground.put(Self.path, #"{"offerings":[]}"#, as: nurse).status == 200)
            let answer = try await ground.get("markets/assef/availability", as: nurse, "provider")
            #expect(answer.json["available"] == false)
        }
    }

    @Test("a provider whom dispatch has not heard of is told to try again")
    func unknown() async throws {
        try await ProvidersGround.run { ground in
            let body = #"{"offerings":[{"service":"injection","price":100}]}"#
            for answer in [
                try await ground.get(Self.path, as: UUID(), "provider"),
                try await ground.put(Self.path, body, as: UUID()),
                try await ground.get("markets/assef/availability", as: UUID(), "provider"),
                try await ground.put("markets/assef/availability", #"{"available":true}"#, as: UUID()),
            ] { #expect(answer.status == 409 && answer.slug == "provider-not-known") }
        }
    }
}
