import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// The market carrepsa has SEK, assef has SAR.
@Suite("Limits of money over all markets", .timeLimit(.minutes(10)))
struct MoneyLimitTests {
    private static func post(
        _ wallet: WalletFixture, _ path: String, _ person: Person, _ amount: Int, market: String, _ currency: String
    ) async throws -> Answer {
        let destination =
            path == "topups"
            ? #""card": "\#(try await wallet.card(person))", "cvvToken": "cvctok_test""#
            : #""iban": "\#(WalletFixture.iban(endingIn: "7519"))", "holder": "S SALEM", "bankName": "Al Rajhi""#
        return try await wallet.post(
            path, person,
            #"{"market": "\#(market)", "amount": \#(amount), "currency": \#(currency), \#(destination)}"#)
    }

    /// Lets the market assef have had kronor before its riyals.
    private static func hadKronor(_ wallet: WalletFixture) async throws {
        let amounts = "finePerKilometre=20; cancellationFee=0; tariffs=none; servicePrices=none"
        try await wallet.set(.currency, "SAR; \(amounts); formerly SEK=50,0")
    }

    @Test("W5: money in the currency of one market neither comes in nor leaves through a market that never had it")
    func foreign() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.person("Salem", "customer", in: "*")
            try await wallet.give(1_000_000, to: salem, currency: "SEK")
            for path in ["topups", "cash-outs"] {
                let answer = try await Self.post(wallet, path, salem, 900_000, market: "assef", #""SEK""#)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.codes == ["/currency": "not-the-markets-currency"], "\(answer.text)")
            }
            #expect(try await wallet.balance(salem, currency: "SEK") == 1_000_000)
        }
    }

    @Test("W5, A1: what leaves in a currency counts over all markets, for the limit and for the second admin")
    func cashOuts() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            try await Self.hadKronor(wallet)
            let salem = try await wallet.people.person("Salem", "customer", in: "*")
            try await wallet.give(3_000_000, to: salem, currency: "SEK")
            for (market, state) in [("carrepsa", "paying"), ("assef", "waiting")] {
                let asked = try await Self.post(wallet, "cash-outs", salem, 150_000, market: market, #""SEK""#)
                let id = try #require(asked.json["cashOut"]?.string, "\(asked.text)")
                let admin = try await wallet.admin(in: market)
                let decided = try await wallet.decide(id, admin, accept: true, market: market)
                #expect(decided.json["state"]?.string == state, "\(market): \(decided.text)")
            }
            for market in ["assef", "carrepsa"] {
                let more = try await Self.post(wallet, "cash-outs", salem, 900_000, market: market, #""SEK""#)
                #expect(more.status == 409 && more.slug == "daily-cash-out-limit", "\(market): \(more.text)")
                #expect(more.json["left"]?.integer == 700_000, "\(more.text)")
            }
            try await wallet.expectSound()
        }
    }

    @Test("W5, A1: of two markets with one currency the stricter limits count, whichever market a request names")
    func shared() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let amounts = "finePerKilometre=20; cancellationFee=0; tariffs=none; servicePrices=none"
            try await wallet.set(.currency, "SEK; \(amounts); formerly SAR=50,0")
            try await wallet.set(.dailyCashOutLimit, "5000")
            try await wallet.set(.cardHoldDays, "30")
            let salem = try await wallet.people.person("Salem", "customer", in: "*")
            try await wallet.give(90_000, to: salem, currency: "SEK")
            for market in ["carrepsa", "assef"] {
                let much = try await Self.post(wallet, "cash-outs", salem, 5_001, market: market, #""SEK""#)
                #expect(much.slug == "daily-cash-out-limit", "\(market): \(much.text)")
            }
            let holds = CardHolds(wallet.parts.markets)
            #expect(holds.days["carrepsa"] == 30 && holds.days["assef"] == 30 && holds.days["btnc"] == 14)
        }
    }

    @Test("W5: a top-up in a former currency pays no more than is owed in it")
    func debt() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            try await Self.hadKronor(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            #expect(
                try await Self.post(wallet, "topups", salem, 700, market: "assef", #""SEK""#).codes
                    == ["/currency": "not-the-markets-currency"])
            var order = Orders.accepted(by: salem, noura, amount: 900)
            order.total.currency = "SEK"
            var fined = order.fined(700)
            fined.fine?.currency = "SEK"
            try await wallet.hear(fined)
            #expect(try await wallet.balance(salem, currency: "SEK") == -700)
            let much = try await Self.post(wallet, "topups", salem, 701, market: "assef", #""SEK""#)
            #expect(much.codes == ["/amount": "out-of-range"], "\(much.text)")
            #expect(try await Self.post(wallet, "topups", salem, 700, market: "assef", #""SEK""#).status == 202)
        }
    }

    @Test("W5: a currency that is no text is refused, and never read as the market's", arguments: ["5", #"["SEK"]"#])
    func mistyped(currency: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.give(10_000, to: salem)
            for path in ["topups", "cash-outs"] {
                let answer = try await Self.post(wallet, path, salem, 5_000, market: "assef", currency)
                #expect(answer.codes == ["/currency": "not-a-text"], "\(path): \(answer.text)")
            }
            #expect(try await wallet.balance(salem) == 10_000)
        }
    }

    @Test("W5: a limit counts the last 24 hours, so a change of the market's time zone begins no new day")
    func hours() async throws {
        let now = Date()
        let limit = DailyLimit(1_000, "SAR", at: now)
        #expect(limit.beginsAt == now - 86_400)
        try limit.admit(1_000, after: .nothing, .topUp)
        let reached = DailyLimit.Reached(matter: .topUp, left: 400, currency: "SAR", limit: 1_000, endsAt: now + 400)
        #expect(throws: reached) { try limit.admit(401, after: .init(sum: 600, oldest: now - 86_000), .topUp) }

        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.set(.dailyTopUpLimit, "10000")
            let charge = try await wallet.topUp(6_000, salem)
            func more() async throws -> Answer {
                try await Self.post(wallet, "topups", salem, 5_000, market: "assef", #""SAR""#)
            }
            try await wallet.pool.execute(AgeTopUp(topUp: charge.subject, hours: 23))
            for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
                try await wallet.set(.timeZone, zone)
                #expect(try await more().slug == "daily-top-up-limit", "\(zone)")
            }
            try await wallet.pool.execute(AgeTopUp(topUp: charge.subject, hours: 2))
            #expect(try await more().status == 202)
        }
    }

    @Test("W5: of top-ups at once as many begin as the limit lets in, also those without a card")
    func race() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            try await wallet.set(.paymentMethods, "card,wallet,payPal")
            try await wallet.set(.dailyTopUpLimit, "10000")
            for _ in 0..<5 {
                let salem = try await wallet.people.customer()
                let statuses = try await WalletFixture.statuses(8) { _ in
                    try await wallet.post(
                        "topups", salem, #"{"market": "assef", "amount": 4000, "method": "payPal"}"#
                    ).status
                }
                #expect(statuses == [202: 2, 409: 6])
            }
        }
    }
}

private struct AgeTopUp: Statement {
    static let sql: SQL = "UPDATE top_ups SET made_at = made_at - $2 * interval '1 hour' WHERE id = $1"
    let topUp: UUID
    let hours: Int
    func bind(_ bindings: inout Bindings) { bindings.append(topUp, hours) }
}
