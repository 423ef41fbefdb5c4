import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Promo codes, subscriptions and cash-outs with what else becomes of orders", .timeLimit(.minutes(15)))
struct PromoFlowTests {
    private static let asks = "4000002760003184"

    /// An order of 120.00 that is paid with a code for 50.00.
    private func discounted(
        _ wallet: WalletFixture, _ customer: Person, _ provider: Person, by method: String
    ) async throws -> OrderSnapshot {
        let order = try await wallet.accepted(customer, provider, amount: 12_000)
        let path = "orders/\(order.order.text)/payment"
        let answer =
            switch method {
            case "card":
                try await wallet.post(
                    path, customer,
                    #"{"method": "card", "card": "\#(try await wallet.card(customer))", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#
                )
            case "applePay":
                try await wallet.post(
                    path, customer,
                    #"{"method": "applePay", "token": "tok_sandbox_apple_pay", "promoCode": "SPRING"}"#)
            default: try await wallet.pay(order, customer, by: method, promoCode: "SPRING")
            }
        try #require(answer.status == 202, "\(answer.text)")
        try await wallet.eventually(order, is: .held)
        return order
    }

    @Test(
        "C7, W6: of a discounted order that costs less the customer's money goes back first, then the platform's",
        arguments: ["wallet", "card", "applePay"], [9_000, 4_000])
    func lowerTotal(method: String, cost: Int) async throws {
        try await WalletFixture.run { wallet in
            try await MethodTests.allowAll(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let code = try await wallet.promoCode(admin, #""amount": 5000"#)
            try await wallet.give(7_000, to: salem)
            let order = try await discounted(wallet, salem, noura, by: method)
            try await wallet.expectSound()
            let before = try await wallet.get("markets/assef/promo-codes/\(code)", admin)
            #expect(before.json["discounts"]?.integer == 5_000 && before.json["capturedDiscounts"]?.integer == 0)
            try await wallet.hear(order.now(.completed, version: 6) { $0.total.amount = cost })
            try await wallet.eventually(order, is: .captured)
            let (given, commission) = (min(5_000, cost), cost * 15 / 100)
            let part = cost - given
            #expect(try await wallet.sum(.promotion) == -given)
            #expect(try await wallet.platform() == commission)
            #expect(try await wallet.balance(noura) == cost - commission)
            #expect(try await wallet.lines(salem).last == "payment \(-part) accepted")
            #expect(try await wallet.balance(salem) == 7_000 - (method == "wallet" ? part : 0))
            if method == "card" || method == "applePay" {
                try await TestKit.eventually("the card has the rest") { wallet.books.refunded == 7_000 - part }
                try await TestKit.eventually("it is booked") { try await wallet.sum(.refund) == 0 }
            }
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["paid"]?["amount"]?.integer == part, "\(view.text)")
            #expect(view.json["discount"]?["amount"]?.integer == given)
            let figures = try await wallet.get("markets/assef/promo-codes/\(code)", admin)
            #expect(figures.json["discounts"]?.integer == given, "\(figures.text)")
            #expect(figures.json["capturedDiscounts"]?.integer == given)
            try await wallet.expectSound()
        }
    }

    @Test(
        "C7, A5: a decision about a discounted order gives the customer at most what he or she has paid",
        arguments: ["wallet", "card"], [(3_000, 3_000, 5_000), (9_000, 7_000, 3_000), (12_000, 7_000, 0)])
    func split(method: String, decided: (toCustomer: Int, back: Int, given: Int)) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 5000"#)
            try await wallet.give(7_000, to: salem)
            let order = try await discounted(wallet, salem, noura, by: method)
            let reported = order.now(.disputed, version: 6) { $0.report = .timeOrdered() }
            try await wallet.hear(reported)
            try await wallet.expectSound()
            try await wallet.decide(reported, .split, toCustomer: decided.toCustomer)
            try await wallet.eventually(order, is: decided.toCustomer < 12_000 ? .captured : .released)
            if method == "card" {
                try await TestKit.eventually("the card has its part") {
                    wallet.books.refunded + wallet.books.cancelled == decided.back
                }
                try await TestKit.eventually("it is booked") { try await wallet.sum(.refund) == 0 }
            } else {
                #expect(try await wallet.balance(salem) == decided.back)
            }
            #expect(try await wallet.sum(.promotion) == -decided.given)
            let price = 12_000 - decided.toCustomer
            #expect(try await wallet.balance(noura) == price - price * 15 / 100)
            try await wallet.expectSound()
        }
    }

    @Test("C7, W8: refunds of a discounted order end at what its customer has paid", arguments: ["wallet", "card"])
    func refunds(to destination: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            _ = try await wallet.promoCode(admin, #""amount": 5000"#)
            let order = try await discounted(wallet, salem, noura, by: "card")
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            let tooMuch = try await wallet.refund(order, admin, 7_001, to: destination)
            #expect(tooMuch.status == 409 || tooMuch.status == 422, "\(tooMuch.text)")
            #expect(try await wallet.refund(order, admin, 4_000, to: destination).status < 300)
            #expect(try await wallet.refund(order, admin, 3_001, to: destination).status >= 400)
            #expect(try await wallet.refund(order, admin, 3_000, to: destination).status < 300)
            if destination == "card" {
                try await TestKit.eventually("the card has all") { wallet.books.refunded == 7_000 }
                try await TestKit.eventually("it is booked") { try await wallet.sum(.refund) == 0 }
            } else {
                #expect(try await wallet.balance(salem) == 7_000)
            }
            #expect(try await wallet.sum(.promotion) == -5_000)
            #expect(try await wallet.balance(noura) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("C7, W2: an attempt that its customer gives up returns the code, which the next one takes again")
    func abandoned() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let id = try await wallet.promoCode(admin, #""amount": 5000, "limit": 1"#)
            func uses() async throws -> Int? {
                try await wallet.get("markets/assef/promo-codes/\(id)", admin).json["uses"]?.integer
            }
            let order = try await wallet.accepted(salem, noura, amount: 12_000)
            let path = "orders/\(order.order.text)/payment"
            let card = try await wallet.card(salem, Self.asks)
            let body = #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#
            #expect(try await wallet.post(path, salem, body).status == 202)
            _ = try await wallet.actionURL(order, salem)
            #expect(try await uses() == 1)
            try await wallet.pool.withTransaction { transaction in
                _ = try await PayOrder.abandon(
                    order: order.order, customer: salem.account, at: Date(), in: transaction)
            }
            #expect(try await uses() == 0)
            #expect(try await wallet.post(path, salem, body).status == 202)
            try await wallet.answer(try await wallet.actionURL(order, salem), yes: true)
            try await wallet.checkNow()
            try await wallet.eventually(order, is: .held)
            #expect(wallet.books.held == 7_000)
            #expect(try await uses() == 1)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            try await wallet.expectSound()
        }
    }

    @Test("C8, W2: a subscription by a card whose bank asks says where to go, and begins after the yes alone")
    func askedSubscription() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let plan = try await wallet.plan(try await wallet.admin())
            let card = try await wallet.card(noura, Self.asks)
            for isYes in [false, true] {
                let answer = try await wallet.post(
                    "markets/assef/subscription", noura,
                    #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
                )
                #expect(answer.status == 202, "\(answer.text)")
                let url = try await wallet.actionURL("markets/assef/subscription", noura)
                #expect(try await wallet.subscription(of: noura).state == .none)
                try await wallet.answer(url, yes: isYes)
                try await wallet.checkNow()
                try await TestKit.eventually("it is known") {
                    let now = try await wallet.subscription(of: noura)
                    return now.pending == nil && (now.state == .active) == isYes
                }
            }
            #expect(try await wallet.platform() == 9_900)
            #expect(wallet.books.captured == 9_900)
            try await wallet.expectSound()
        }
    }

    @Test("O2: who is blocked for a fine cashes nothing out and subscribes to nothing")
    func blocked() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let plan = try await wallet.plan(try await wallet.admin())
            try await wallet.give(1, to: noura)
            try await wallet.pool.execute(Block(account: noura.account))
            let out = try await wallet.cashOut(100, noura)
            #expect(out.status == 403 && out.slug == "account-blocked", "\(out.text)")
            let card = try await wallet.card(noura)
            let subscribed = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(subscribed.status == 403 && subscribed.slug == "account-blocked", "\(subscribed.text)")
            #expect(wallet.books.payments == 0)
        }
    }
}

/// As a fine that was not paid in time leaves an account. The sums of the ledger are not looked at after it.
private struct Block: Statement {
    static let sql: SQL = """
        WITH owing AS (UPDATE accounts SET balance = -500 WHERE owner = $1 AND kind = 'wallet')
        INSERT INTO blocks (account, market, currency, is_blocked, version) VALUES ($1, 'assef', 'SAR', true, 1)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
