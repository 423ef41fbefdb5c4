import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("P2: another currency while money waits", .timeLimit(.minutes(15)))
struct CurrencyTests {
    private static func toDollars(_ wallet: WalletFixture) async throws {
        let money = "USD; finePerKilometre=20; cancellationFee=0; tariffs=none; servicePrices=none; formerly SAR=50,0"
        try await wallet.pool.execute(SetSetting(key: "currency", value: money))
        try await wallet.parts.markets.refresh()
    }

    @Test("P2, P5: an open order is settled in its own currency, after the market has another one")
    func settle() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            try await wallet.pay(order, salem, held: "wallet")
            try await Self.toDollars(wallet)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.balance(noura) > 0)
            #expect(try await wallet.balance(noura, currency: "USD") == 0)
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("P2, W5: what is left in a former currency can be taken out; one in which there is nothing is refused")
    func cashOut() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.give(10_000, to: noura)
            try await Self.toDollars(wallet)
            let currencies = try await wallet.get("wallets", noura).items.compactMap { $0["currency"]?.string }
            #expect(currencies == ["SAR", "USD"])
            let card = try await wallet.card(noura)
            func ask(_ currency: String) async throws -> Answer {
                try await wallet.post(
                    "cash-outs", noura,
                    #"{"market":"assef","amount":4000,"card":"\#(card)","currency":"\#(currency)"}"#)
            }
            #expect(try await ask("EUR").status == 422)
            #expect(try await ask("SAR").status == 201)
            #expect(try await wallet.balance(noura) == 6_000)
            try await wallet.expectSound()
        }
    }

    @Test("P2, W5: what was asked for in a currency is answered again, though nothing is left in it")
    func repeated() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.give(4_000, to: noura)
            let card = try await wallet.card(noura)
            func ask(_ path: String, _ more: String = "") async throws -> Answer {
                try await wallet.post(
                    path, noura, #"{"market":"assef","amount":4000,"card":"\#(card)","currency":"SAR"\#(more)}"#,
                    key: "once-\(path)")
            }
            #expect(try await ask("topups", #","cvvToken":"cvctok_test""#).status == 202)
            try await Self.toDollars(wallet)
            for _ in 0..<2 { #expect(try await ask("cash-outs").status == 201) }
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await ask("topups", #","cvvToken":"cvctok_test""#).status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("P2, C8: a plan in a former currency is sold no more, and its price is not changed in the new one")
    func plan() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            try await wallet.give(30_000, to: noura)
            try await Self.toDollars(wallet)
            #expect(try await wallet.get("markets/assef/subscription-plans", noura).items.isEmpty)
            #expect(try await wallet.get("markets/assef/subscription-plans", admin).items.count == 1)
            #expect(try await wallet.subscribe(noura, to: plan, price: 9_900).status == 422)
            let change = try await wallet.call(
                .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: 2_600))
            #expect(change.status == 409, "\(change.text)")
            #expect(try await wallet.balance(noura) == 30_000)
        }
    }

    @Test("P2, O2: who is blocked for a fine is told in which currency it is owed, and is let in by paying it in that")
    func block() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await Self.toDollars(wallet)
            try await wallet.age(salem, days: 31)
            try await wallet.withDeadlines {
                try await TestKit.eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
            }
            var order = Orders.accepted(by: salem, noura, amount: 900)
            order.total.currency = "USD"
            try await wallet.hear(order)
            try await wallet.give(5_000, to: salem, currency: "USD")
            let refused = try await wallet.pay(order, salem, by: "wallet")
            #expect(refused.status == 403 && refused.slug == "account-blocked", "\(refused.text)")
            #expect(refused.json["owed"]?.integer == 1_000 && refused.json["currency"]?.string == "SAR")
            try await wallet.give(1_000, to: salem)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            #expect(try await wallet.balance(salem, currency: "USD") == 4_100)
            try await wallet.expectSound()
        }
    }

    @Test("P2, O2: who owes in two currencies is let in when both are paid")
    func twoBlocks() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await Self.toDollars(wallet)
            var order = Orders.accepted(by: salem, noura, amount: 900)
            order.total.currency = "USD"
            var fined = order.fined(500)
            fined.fine?.currency = "USD"
            try await wallet.hear(fined)
            try await wallet.age(salem, days: 31)
            func owed() async throws -> Money? {
                try await wallet.pool.first(FindBlock(account: salem.account, market: "assef"))
            }
            try await wallet.withDeadlines {
                try await TestKit.eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
                try await wallet.give(1_000, to: salem)
                try await TestKit.eventually("the other debt blocks on") { try await owed()?.currency == "USD" }
                #expect(try await owed()?.amount == 500)
                #expect(!(try await wallet.told(about: salem.account).contains("unblocked")))
                try await wallet.give(500, to: salem, currency: "USD")
                try await TestKit.eventually("nothing blocks") {
                    try await wallet.told(about: salem.account).contains("unblocked")
                }
            }
            #expect(try await owed() == nil)
            #expect(try await wallet.told(about: salem.account).count { $0 == "unblocked" } == 1)
            try await wallet.expectSound()
        }
    }

    @Test("P2, C7: quotes are told to count a promo code only while its market has its currency")
    func toldPromoCode() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount":1000"#)
            func told() async throws -> [String] {
                for _ in 0..<2 {
                    try await PromoCodePass.pass(at: Date(), MarketCurrencies(wallet.parts.markets), wallet.pool)
                }
                return try await wallet.outbox("wallet.promo_code.changed.v1").map { body in
                    let json = try JSONValue(parsing: body.utf8)
                    return "\(json["version"]?.integer ?? 0) \(json["isUsedUp"]?.bool == true)"
                }
            }
            #expect(try await told() == ["1 false"])
            try await Self.toDollars(wallet)
            #expect(try await told() == ["1 false", "2 true"])
            try await wallet.pool.execute(ForgetCurrency())
            try await wallet.parts.markets.refresh()
            #expect(try await told() == ["1 false", "2 true", "3 false"])
        }
    }

    @Test("P2, C7: a promo code of a former currency takes nothing off a price in the new one")
    func promoCode() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            _ = try await wallet.promoCode(admin, #""amount":1000"#)
            try await Self.toDollars(wallet)
            try await wallet.give(12_000, to: salem, currency: "USD")
            var order = Orders.accepted(by: salem, noura)
            order.total.currency = "USD"
            try await wallet.hear(order)
            let answer = try await wallet.pay(order, salem, by: "wallet", promoCode: "SPRING")
            #expect((400..<500).contains(answer.status), "\(answer.text)")
            #expect(try await wallet.balance(salem, currency: "USD") == 12_000)
        }
    }
}

private struct ForgetCurrency: Statement {
    static let sql: SQL = "DELETE FROM market_settings WHERE key = 'currency'"
}
