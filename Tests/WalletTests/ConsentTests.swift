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

/// Orders that are paid without their customer, by the consent given when the card was stored.
@Suite("Payments by consent", .timeLimit(.minutes(15)))
struct ConsentTests {
    @Test("W3: a recurring order charges the card that its owner agreed to, without a CVV, once")
    func charged() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await Self.card(wallet, salem, "4000002500003155")
            let order = Self.recurring(salem, noura)
            for _ in 0..<3 { try await wallet.hear(order) }
            try await wallet.eventually(order, is: .held)
            let charge = try await wallet.charge(of: order)
            #expect(charge.cvvReference == nil && charge.consentedAt != nil)
            #expect(wallet.books.payments == 1 && wallet.books.held == 12_000)
            #expect(try await wallet.told(about: order.order) == ["held"])
            // The owner takes the consent back: the next one waits for him.
            #expect(try await wallet.call(.patch, "cards/\(card)", salem, #"{"consent": false}"#).status == 200)
            let next = Self.recurring(salem, noura)
            try await wallet.hear(next)
            #expect(try await wallet.state(of: next) == .due)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W3: a card that is refused, or whose bank wants its owner, leaves the order due, and the owner is told",
        arguments: [("4000000000000341", "card-declined"), ("4000002760003184", "authentication-required")])
    func refused(number: String, reason: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await Self.card(wallet, salem, number)
            let order = Self.recurring(salem, noura)
            try await wallet.hear(order)
            try await TestKit.eventually("the refusal is told") {
                try await wallet.told(about: order.order) == ["refused"]
            }
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["state"]?.string == "due" && view.json["refusal"]?.string == reason, "\(view.text)")
            // Heard again it is not charged again.
            try await wallet.hear(order.now(.accepted, version: 3))
            #expect(try await wallet.state(of: order) == .due)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.eventually(order, is: .held)
            try await wallet.expectSound()
        }
    }

    @Test("W3, C7: who was promised a discount is not charged the whole price by consent, and pays what was said")
    func promised() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await Self.card(wallet, salem, "4242424242424242")
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 5000"#)
            var order = Self.recurring(salem, noura)
            order.promo = OrderSnapshot.Promo(code: "SPRING", discount: 5_000)
            try await wallet.hear(order)
            #expect(try await wallet.state(of: order) == .due && wallet.books.payments == 0)
            try await wallet.give(7_000, to: salem)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W3: without a word of its owner no card is charged")
    func withoutConsent() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.card(salem)
            let recurring = Self.recurring(salem, noura)
            try await wallet.hear(recurring)
            #expect(try await wallet.state(of: recurring) == .due)
            // With consent, but for an order that its customer pays.
            _ = try await Self.card(wallet, salem, "4242424242424242")
            let plain = try await wallet.accepted(salem, noura)
            #expect(try await wallet.state(of: plain) == .due && wallet.books.payments == 0)
        }
    }

    @Test(
        "W2, W3: what the customer could not pay by card is not charged by consent either; it stays due, and that is told"
    )
    func notAllowed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await Self.card(wallet, salem, "4242424242424242")
            // The market takes no cards any more.
            let order = Self.recurring(salem, noura)
            var settings = try #require(wallet.parts.markets.settings(of: "assef"))
            settings.paymentMethods = ["wallet", "cash"]
            let follow = ApplyOrderSnapshot(settings: { [settings] _ in settings }, logger: wallet.parts.logger)
            for _ in 0..<2 {
                try await wallet.pool.withTransaction { try await follow(order, at: Date(), in: $0) }
            }
            #expect(try await wallet.told(about: order.order) == ["refused"])
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["state"]?.string == "due" && view.json["refusal"]?.string == "method-not-allowed")
            // Neither is one who is blocked for a fine.
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.age(salem, days: 31)
            try await wallet.withDeadlines {
                try await TestKit.eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
            }
            let next = Self.recurring(salem, noura)
            try await wallet.hear(next)
            #expect(try await wallet.told(about: next.order) == ["refused"])
            let blocked = try await wallet.get("orders/\(next.order.text)/payment", salem)
            #expect(blocked.json["state"]?.string == "due" && blocked.json["refusal"]?.string == "account-blocked")
            // Who has paid the fine pays that order as any other.
            try await wallet.give(13_000, to: salem)
            #expect(try await wallet.pay(next, salem, by: "wallet").status == 202)
            #expect(wallet.books.payments == 0)
            try await wallet.expectSound()
        }
    }

    private static func card(_ wallet: WalletFixture, _ person: Person, _ number: String) async throws -> String {
        let answer = try await wallet.post("cards", person, wallet.newCard(number, #", "consent": true"#))
        return try #require(answer.json["card"]?.string, "\(answer.text)")
    }

    private static func recurring(_ customer: Person, _ provider: Person) -> OrderSnapshot {
        var order = Orders.accepted(by: customer, provider)
        order.paysByConsent = true
        return order
    }
}
