import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

/// Payments whose customer is asked first: by the bank (3-D Secure), or at PayPal.
@Suite("Payments that ask their customer", .timeLimit(.minutes(15)))
struct AuthenticationTests {
    private static let asks = "4000002760003184"

    @Test(
        "W2: a card whose bank asks is authorising and says where to go; a yes holds the price, which is captured once")
    func yes() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.asks))
            let url = try await wallet.actionURL(order, salem)
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["state"]?.string == "authorising")
            #expect(try await wallet.told(about: order.order) == ["action_required"])
            #expect(wallet.books.payments == 0)
            let (status, back) = try await wallet.answer(url, yes: true)
            #expect(status == 303 && back?.contains("payment=") == true && back?.contains("succeeded") == true)
            // No webhook comes: the worker asks.
            try await wallet.checkNow()
            try await wallet.eventually(order, is: .held)
            #expect(try await wallet.get("orders/\(order.order.text)/payment", salem).json["nextAction"] == nil)
            #expect(try await wallet.charge(of: order).actionURL == nil)
            // The page is answered once.
            #expect(try await wallet.answer(url, yes: true).status == 404)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(wallet.books.captured == 12_000 && wallet.books.payments == 1)
            #expect(try await wallet.told(about: order.order) == ["action_required", "held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W2: a customer who says no, or whose bank says no after it, can pay otherwise",
        arguments: [(asks, false, "authentication-failed"), ("4000008260003178", true, "insufficient-funds")])
    func no(number: String, yes: Bool, reason: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, number))
            try await wallet.answer(try await wallet.actionURL(order, salem), yes: yes)
            try await wallet.checkNow()
            try await wallet.eventually(order, is: .due)
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["refusal"]?.string == reason, "\(view.text)")
            #expect(try await wallet.told(about: order.order) == ["action_required", "refused"])
            #expect(wallet.books.payments == 0)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.eventually(order, is: .held)
            #expect(wallet.books.held == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W2: a customer who never answers: the order's deadline ends it, and nothing can be said any more")
    func never() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.asks))
            let url = try await wallet.actionURL(order, salem)
            for _ in 0..<3 { try await wallet.checkNow() }
            #expect(try await wallet.state(of: order) == .authorising)
            try await wallet.hear(order.now(.expired, version: 3))
            try await wallet.eventually(order, is: .closed)
            try await TestKit.eventually("it is cancelled at the payment provider") {
                try await wallet.charge(of: order).state == .cancelled
            }
            #expect(try await wallet.answer(url, yes: true).status == 404)
            #expect(wallet.books.payments == 0)
            #expect(try await wallet.get("orders/\(order.order.text)/payment", salem).json["nextAction"] == nil)
            try await wallet.expectSound()
        }
    }

    @Test("W2: a yes that meets the order's end is undone, whichever is first")
    func yesAndEnd() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem, Self.asks)
            for _ in 0..<10 {
                let order = try await wallet.accepted(salem, noura, amount: 1_000)
                _ = try await wallet.payByCard(order, salem, card)
                let url = try await wallet.actionURL(order, salem)
                async let end: Void = wallet.hear(order.now(.expired, version: 3))
                async let answered = wallet.answer(url, yes: true)
                async let checked: Void = wallet.checkNow()
                _ = try await (end, answered, checked)
                try await TestKit.eventually("nothing is held") {
                    let charge = try await wallet.charge(of: order)
                    return [.cancelled, .refunded].contains(charge.state)
                }
                #expect([.closed, .released].contains(try await wallet.state(of: order)))
            }
            #expect(wallet.books.held == 0 && wallet.books.captured == wallet.books.refunded)
            try await wallet.expectSound()
        }
    }

    @Test("W2: a customer may give up the attempt and pay otherwise; a late yes is undone")
    func abandoned() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let other = try await wallet.people.customer("Huda")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            let path = "orders/\(order.order.text)/payment"
            #expect(try await wallet.call(.delete, path, salem, nil).slug == "payment-state")
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.asks))
            let url = try await wallet.actionURL(order, salem)
            for person in [other, noura, try await wallet.people.master()] {
                #expect(try await wallet.call(.delete, path, person, nil).status == 404)
            }
            // The customer has said yes, in another window, and gives up before we hear of it.
            try await wallet.answer(url, yes: true)
            let given = try await wallet.call(.delete, path, salem, nil)
            #expect(given.status == 200 && given.json["state"]?.string == "due", "\(given.text)")
            #expect(given.json["refusal"]?.string == "abandoned")
            #expect(try await wallet.pay(order, salem, by: "wallet").json["state"]?.string == "held")
            try await TestKit.eventually("the yes is undone") {
                wallet.books.payments == 1 && wallet.books.held == 0 && wallet.books.captured == 0
            }
            #expect(try await wallet.state(of: order) == .held)
            try await wallet.expectSound()
        }
    }

    @Test("Q7: nobody else sees where a payment sends its customer, or can answer it, and it is in no message or log")
    func others() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.asks))
            let url = try await wallet.actionURL(order, salem)
            for person in [try await wallet.people.customer("Huda"), noura, try await wallet.people.master()] {
                #expect(try await wallet.get("orders/\(order.order.text)/payment", person).status == 404)
            }
            // Another customer's payment, and another's key.
            let other = try await wallet.people.customer("Huda")
            let own = try await wallet.accepted(other, noura)
            _ = try await wallet.payByCard(own, other, try await wallet.card(other, Self.asks))
            let ownURL = try await wallet.actionURL(own, other)
            let key = try #require(URLComponents(string: ownURL)?.queryItems?.first { $0.name == "key" }?.value)
            #expect(try await wallet.answer(url, yes: true, key: key).status == 404)
            #expect(try await wallet.answer(url, yes: true, key: "").status == 404)
            #expect(wallet.books.payments == 0)
            #expect(!wallet.logs.text.contains("/redirect/"))
            for name in ["wallet.payment.action_required.v1"] {
                let bodies = try await wallet.outbox(name)
                #expect(bodies.count == 2 && bodies.allSatisfy { !$0.contains("redirect") && !$0.contains("pi_") })
            }
        }
    }

    @Test("W4: its webhooks come first, last, three times and out of order: it is held once")
    func webhooks() async throws {
        // No worker: only webhooks tell what happens.
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            for isInOrder in [true, false] {
                let order = try await wallet.accepted(salem, noura)
                _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.asks))
                let charge = try await wallet.charge(of: order)
                let asks = Self.actionRequired(charge.id, reference: "pi_\(isInOrder)")
                let held = WalletFixture.event(
                    "amount_capturable_updated", status: "requires_capture", charge: charge.id,
                    reference: "pi_\(isInOrder)", amount: 12_000)
                for event in isInOrder ? [asks, asks, held, asks, held] : [held, asks, held, asks] {
                    #expect(try await wallet.webhook(event).status == 200)
                }
                #expect(try await wallet.state(of: order) == .held)
                let told = try await wallet.told(about: order.order)
                #expect(told == (isInOrder ? ["action_required", "held"] : ["held"]))
                #expect(try await wallet.charge(of: order).actionURL == nil)
            }
            try await wallet.expectSound()
        }
    }

    @Test(
        "W4: the payment provider takes up again what it has refused: its customer was told otherwise, so it is undone")
    func againAfterRefusal() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try await wallet.charge(of: order)
            for (type, status) in [
                ("payment_failed", "requires_payment_method"), ("amount_capturable_updated", "requires_capture"),
            ] {
                let event = WalletFixture.event(
                    type, status: status, charge: charge.id, reference: "pi_1", amount: 12_000)
                #expect(try await wallet.webhook(event).status == 200)
            }
            #expect(try await wallet.state(of: order) == .due)
            #expect(try await wallet.charge(of: order).nextRequest == .cancel)
            #expect(try await wallet.told(about: order.order) == ["refused"])
            try await wallet.expectSound()
        }
    }

    @Test("W5: a top-up that asks its owner fills the wallet after the yes; after no, or never, it is refused")
    func topUps() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let other = try await wallet.people.customer("Huda")
            let card = try await wallet.card(salem, Self.asks)
            let body = #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            var paths: [String] = []
            for _ in 0..<3 {
                let answer = try await wallet.post("topups", salem, body)
                paths.append("topups/\(try #require(answer.json["topUp"]?.string))")
            }
            for (path, yes) in zip(paths, [true, false]) {
                let url = try await wallet.actionURL(path, salem)
                #expect(try await wallet.get(path, other).status == 404)
                try await wallet.answer(url, yes: yes)
            }
            _ = try await wallet.actionURL(paths[2], salem)
            try await wallet.pool.execute(AgeWaiting())
            for (path, state) in zip(paths, ["completed", "refused", "refused"]) {
                try await TestKit.eventually("\(path) is \(state)") {
                    try await wallet.get(path, salem).json["state"]?.string == state
                }
                #expect(try await wallet.get(path, salem).json["nextAction"] == nil)
            }
            #expect(try await wallet.balance(salem) == 5_000)
            #expect(wallet.books.captured == 5_000)
            try await wallet.expectSound()
        }
    }

    private static func actionRequired(_ charge: UUID, reference: String) -> String {
        """
        {"id": "evt_\(UUID().uuidString)", "object": "event", "type": "payment_intent.requires_action", "created": 1,
         "data": {"object": {"id": "\(reference)", "object": "payment_intent", "status": "requires_action",
          "amount": 12000, "currency": "sar", "metadata": {"charge": "\(charge.text)"},
          "next_action": {"type": "redirect_to_url", "redirect_to_url": {"url": "https://bank.example/x"}}}}}
        """
    }
}
