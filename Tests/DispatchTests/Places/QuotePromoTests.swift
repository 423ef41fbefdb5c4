import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// A promo code as the wallet tells of it.
enum SamplePromo {
    static func event(
        _ code: String, id: UUID = .timeOrdered(), version: Int = 1, in market: String = "btnc",
        basisPoints: Int? = nil, maximum: Int? = nil, amount: Int? = nil, startsAt: Date = Date() - 3_600,
        _ change: (inout PromoCodeChanged) -> Void = { _ in }
    ) -> PromoCodeChanged {
        var event = PromoCodeChanged(
            promoCode: id, version: version, market: market, code: code, basisPoints: basisPoints, maximum: maximum,
            amount: amount, startsAt: startsAt, at: Date())
        change(&event)
        return event
    }

    static func tell(_ event: PromoCodeChanged, _ pool: PostgresPool) async throws {
        try await pool.withTransaction { transaction in PromoCodeProjection.keep(event, in: transaction) }
    }
}

@Suite("C7: promo codes on quotes", .timeLimit(.minutes(15)))
struct QuotePromoTests {
    @Test("C7: a code takes off what the wallet would, rounded down, within its maximum, and never more than the price")
    func rules() {
        let now = Date()
        func quoted(
            _ price: Int, basisPoints: Int? = nil, maximum: Int? = nil, amount: Int? = nil, minimum: Int = 0
        ) -> QuotePromo {
            KnownPromoCode(
                id: UUID(), market: "btnc", code: "SPRING", basisPoints: basisPoints, maximum: maximum, amount: amount,
                startsAt: now - 1, endsAt: nil, endedAt: nil, minimumPrice: minimum, limitPerAccount: nil,
                isUsedUp: false
            ).quoted(on: price, in: "btnc", ownUses: 0, at: now)
        }
        #expect(quoted(1_000, basisPoints: 2_000).discount == 200)
        #expect(quoted(101, basisPoints: 3_333).discount == 33)
        #expect(quoted(1_000, basisPoints: 2_000, maximum: 150).discount == 150)
        #expect(quoted(Int.max, basisPoints: 10_000).discount == Int.max)
        #expect(quoted(1_000, amount: 3_000).discount == 1_000)
        let low = quoted(999, amount: 100, minimum: 1_000)
        #expect(low.obstacle == .belowMinimum && low.discount == 0)
        // On the whole order it is enough.
        #expect(low.on(1_000).discount == 100 && low.on(1_000).obstacle == nil)
        #expect(quoted(0, amount: 100).obstacle == .belowMinimum)
    }

    /// A ride of 10.00 with a code.
    private static func quote(
        _ ground: PlacesGround, _ code: String, as rider: UUID, language: String = "en"
    ) async throws -> ProviderAnswer {
        try await ground.ask(
            .post, "quotes", QuoteTests.body(more: #","promo":"\#(code)""#), as: rider, language: language)
    }

    @Test("C7: the quote says what a code takes off and what is left to pay, and keeps to that; the price still binds")
    func discount() async throws {
        try await PlacesGround.run { ground in
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0")
            let rider = UUID.timeOrdered()
            try await SamplePromo.tell(SamplePromo.event("SPRING", basisPoints: 1_250), ground.pool)
            try await SamplePromo.tell(SamplePromo.event("HUGE", amount: 5_000), ground.pool)
            let json = try await Self.quote(ground, "spring", as: rider).json
            #expect(json["price"]?["amount"]?.asInt == 1_000 && json["promo"] == "spring", "\(json)")
            #expect(json["discount"]?["amount"]?.asInt == 125 && json["toPay"]?["amount"]?.asInt == 875)
            let promotion = json["promotion"]
            #expect(promotion?["code"] == "SPRING" && promotion?["counts"] == true && promotion?["problem"] == nil)
            #expect(promotion?["explanation"] == "12.5 % off." && promotion?["basisPoints"]?.asInt == 1_250)
            let id = try #require(json["quote"]?.asText)
            // What becomes of the code later changes no quote.
            #expect(try await ground.ask(.get, "quotes/\(id)", as: rider).json == json)
            let huge = try await Self.quote(ground, "HUGE", as: rider, language: "ar").json
            #expect(huge["discount"]?["amount"]?.asInt == 1_000 && huge["toPay"]?["amount"]?.asInt == 0)
            #expect(huge["promotion"]?["explanation"] == "خصم 50.00 AUD.")
            let none = try await ground.ask(.post, "quotes", QuoteTests.body(), as: rider).json
            #expect(none["promotion"] == nil && none["discount"]?["amount"]?.asInt == 0)
            #expect(none["toPay"]?["amount"]?.asInt == 1_000)
        }
    }

    @Test(
        "C7: where the market takes only cash a quote shows no discount, and says why; where it takes more again, it does"
    )
    func cashOnly() async throws {
        try await PlacesGround.run { ground in
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0")
            let rider = UUID.timeOrdered()
            try await SamplePromo.tell(SamplePromo.event("SPRING", basisPoints: 1_250), ground.pool)
            let before = try await Self.quote(ground, "SPRING", as: rider).json
            let id = try #require(before["quote"]?.asText)
            #expect(before["discount"]?["amount"]?.asInt == 125)
            try await ground.set(.paymentMethods, to: "cash")
            for language in ["en", "ar"] {
                let json = try await Self.quote(ground, "SPRING", as: rider, language: language).json
                #expect(
                    json["promotion"]?["problem"] == "cash-only" && json["promotion"]?["counts"] == false, "\(json)")
                #expect(json["discount"]?["amount"]?.asInt == 0 && json["toPay"]?["amount"]?.asInt == 1_000)
                #expect(json["promotion"]?["explanation"]?.asText?.contains(language == "en" ? "cash" : "نقدًا") == true)
            }
            let unknown = try await Self.quote(ground, "NOSUCH", as: rider).json
            #expect(unknown["promotion"]?["problem"] == "unknown")
            // One that was made before can be paid no other way either.
            let shown = try await ground.ask(.get, "quotes/\(id)", as: rider).json
            #expect(shown["promotion"]?["problem"] == "cash-only" && shown["toPay"]?["amount"]?.asInt == 1_000)
            try await ground.set(.paymentMethods, to: "cash,card")
            #expect(try await ground.ask(.get, "quotes/\(id)", as: rider).json == before)
        }
    }

    /// Codes that do not count for a ride of 10.00, by why.
    private static func obstacles() -> [String: PromoCodeChanged] {
        [
            "other-market": SamplePromo.event("ELSEWHERE", in: "edencare", amount: 100),
            "expired": SamplePromo.event("OVER", amount: 100) { $0.endsAt = Date() - 1 },
            "not-yet": SamplePromo.event("LATER", amount: 100, startsAt: Date() + 86_400),
            "used-up": SamplePromo.event("GONE", amount: 100) { $0.isUsedUp = true },
            "below-minimum": SamplePromo.event("LARGE", amount: 100) { $0.minimumPrice = 1_001 },
        ]
    }

    @Test("C7, P7: a code that does not count is explained in both languages, and takes nothing off the price")
    func explained() async throws {
        try await PlacesGround.run { ground in
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0")
            let rider = UUID.timeOrdered()
            var codes = ["unknown": "NOSUCH"]
            for (problem, event) in Self.obstacles() {
                try await SamplePromo.tell(event, ground.pool)
                codes[problem] = event.code
            }
            // One that an admin has ended is over, however long it would have been good for.
            let ended = SamplePromo.event("ENDED", amount: 100) { $0.endedAt = Date() }
            try await SamplePromo.tell(ended, ground.pool)
            var texts: Set<String> = []
            for language in ["en", "ar"] {
                for (problem, code) in codes {
                    let json = try await Self.quote(ground, code, as: rider, language: language).json
                    #expect(json["promotion"]?["problem"]?.asText == problem, "\(json)")
                    #expect(json["promotion"]?["counts"] == false && json["toPay"]?["amount"]?.asInt == 1_000)
                    texts.insert(json["promotion"]?["explanation"]?.asText ?? "")
                }
            }
            #expect(texts.count == 2 * codes.count && !texts.contains(""))
            #expect(texts.contains("1.00 AUD off. It counts from a price of 10.01 AUD on."))
            let over = try await Self.quote(ground, "ENDED", as: rider).json
            #expect(over["promotion"]?["problem"] == "expired")
        }
    }

    @Test("C7: of what is told of a code the newest counts, in whatever order it comes")
    func news() async throws {
        try await PlacesGround.run { ground in
            let (rider, id) = (UUID.timeOrdered(), UUID.timeOrdered())
            func problem() async throws -> String? {
                try await Self.quote(ground, "SPRING", as: rider).json["promotion"]?["problem"]?.asText
            }
            let versions = (1...3).map { version in
                SamplePromo.event("SPRING", id: id, version: version, amount: 100) { $0.isUsedUp = version == 2 }
            }
            for version in [0, 1, 0] { try await SamplePromo.tell(versions[version], ground.pool) }
            #expect(try await problem() == "used-up")
            for version in [2, 1] { try await SamplePromo.tell(versions[version], ground.pool) }
            #expect(try await problem() == nil)
        }
    }

    @Test("C7: a request for a quote that is repeated is answered as before, and is no other try of its code")
    func repeated() async throws {
        try await PlacesGround.run { ground in
            let (rider, key) = (UUID.timeOrdered(), UUID().uuidString)
            let body = QuoteTests.body(more: #","promo":"NOSUCH""#)
            func ask() async throws -> ProviderAnswer {
                try await ground.ask(.post, "quotes", body, as: rider, key: key)
            }
            let first = try await ask()
            #expect(first.status == 201)
            for _ in 0..<PreviewPromoCode.misses {
                let again = try await ask()
                #expect(again.status == 201 && again.json["quote"]?.asText == first.json["quote"]?.asText)
            }
            #expect(try await Self.quote(ground, "NOSUCH", as: rider).status == 201)
            // Whatever the market quotes by now.
            try await ground.set(.tariffs, to: "none")
            #expect(try await ask().status == 201)
            #expect(try await Self.quote(ground, "NOSUCH", as: rider).status == 422)
        }
    }

    @Test("C7: who tries many codes that there are not has to wait, and finds none meanwhile; others do not")
    func guessing() async throws {
        try await PlacesGround.run { ground in
            let (rider, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await SamplePromo.tell(SamplePromo.event("SPRING", amount: 100), ground.pool)
            for _ in 0..<PreviewPromoCode.misses {
                #expect(try await Self.quote(ground, "NOSUCH", as: rider).status == 201)
                // A right one is no miss.
                #expect(try await Self.quote(ground, "SPRING", as: other).status == 201)
            }
            #expect(try await Self.quote(ground, "NOSUCH", as: rider).status == 429)
            #expect(try await Self.quote(ground, "SPRING", as: rider).status == 429)
            #expect(try await Self.quote(ground, "SPRING", as: other).status == 201)
            #expect(try await ground.ask(.post, "quotes", QuoteTests.body(), as: rider).status == 201)
        }
    }

    @Test("Q9, C7: who has mistyped codes is forgotten after a day, and not before")
    func forgotten() async throws {
        try await PlacesGround.run { ground in
            #expect(try await Self.quote(ground, "NOSUCH", as: .timeOrdered()).status == 201)
            let pass = RetentionPass(
                pool: ground.pool, markets: ground.markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            try await pass.pass(at: Date())
            #expect(try await ground.pool.first(CountPromoMissRows()) == 1)
            try await pass.pass(at: Date() + 90_000)
            #expect(try await ground.pool.first(CountPromoMissRows()) == 0)
        }
    }
}

private struct CountPromoMissRows: Statement {
    static let sql: SQL = "SELECT count(*) FROM promo_misses"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
