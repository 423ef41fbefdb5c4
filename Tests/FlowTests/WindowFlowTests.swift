import Contracts
import Foundation
import Phones
import TestKit
import Testing

/// Short windows for the tests that let them run out; long enough for the steps before.
@Suite(
    "Windows that run out",
    .platform(settings: [
        .acceptWindowSeconds: "5", .paymentWindowSeconds: "5", .completionWindowSeconds: "5",
        .confirmationWindowSeconds: "3", .arrivalWindowSeconds: "60",
    ]), .timeLimit(.minutes(15)))
struct WindowFlowTests {
    @Test("O1, P3a: a request that nobody answers expires, and the provider may be asked again")
    func acceptWindow() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.requested()
        try await pair.both(order, .expired)
        #expect(try await pair.customer.phone.order(order).snapshot.reason == "accept-window-over")
        try await refuses(409, state: "expired") { try await pair.provider.phone.act("accept", on: order) }
        _ = try await pair.requested()
    }

    @Test("O1, P3a: an order that is not paid in time expires, and the provider is free again")
    func paymentWindow() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.accepted()
        try await pair.both(order, .expired)
        #expect(try await pair.customer.phone.order(order).snapshot.reason == "payment-window-over")
        try await eventually("the wallet takes no payment any more") {
            do {
                try await pair.customer.phone.pay(order, by: "card", card: pair.card.card)
                return false
            } catch let refusal as Refusal where refusal.status == 409 {
                return true
            }
        }
        #expect(try await pair.balances() == [0, 0])
        _ = try await pair.accepted()
    }

    @Test("W2: a card that is declined leaves the order waiting, and another one pays it")
    func declinedCard() async throws {
        let pair = try await Pair.meet()
        let bad = try await pair.customer.addCard(.declined)
        let order = try await pair.accepted()
        try await pair.pay(order, card: bad)
        try await pair.customer.stream.payment(of: order, "the card is refused") { $0.reason == "card-declined" }
        #expect(try await pair.customer.phone.payment(of: order).state == "due")
        try await pair.customer.phone.pay(order, by: "card", card: pair.card.card)
        try await pair.both(order, .enRoute)
    }

    @Test("W2: without funds, and with a provider of payments that is down, nothing is paid and the order expires")
    func refusedCards() async throws {
        for (card, reason) in [(TestCard.insufficientFunds, "insufficient-funds"), (.providerDown, "provider-down")] {
            let pair = try await Pair.meet(card: card)
            let order = try await pair.accepted()
            try await pair.pay(order)
            try await pair.both(order, .expired)
            try await eventually("the payment is over (\(reason))") {
                ["closed", "released"].contains(try await pair.customer.phone.payment(of: order).state)
            }
            #expect(try await pair.balances() == [0, 0])
        }
        try await ledgerIsSound()
    }

    @Test("P3a: the second party's confirmation is done for it when its window is over")
    func confirmationWindow() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.arrived()
        try await pair.provider.phone.act("complete", on: order)
        try await pair.both(order, .completed)
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
    }

    @Test("P3a, W6: when nobody says that the work is done, the order is cancelled and the money given back")
    func completionWindow() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.arrived()
        try await pair.both(order, .cancelled)
        #expect(try await pair.customer.phone.order(order).snapshot.reason == "nobody-confirmed")
        try await eventually("the payment is released") {
            try await pair.customer.phone.payment(of: order).state == "released"
        }
        #expect(try await pair.balances() == [0, 0])
        _ = try await pair.accepted()
    }

    @Test("O12: payment against the payment's expiry has one outcome, and the money follows it")
    func paymentAgainstExpiry() async throws {
        let pair = try await Pair.meet()
        try await pair.fill(200_000)
        var expected = 200_000
        for milliseconds in [4_600, 4_900, 5_000, 5_200] {
            let order = try await pair.accepted()
            try await Task.sleep(for: .milliseconds(milliseconds))
            do { try await pair.customer.phone.pay(order, by: "wallet") } catch let refusal as Refusal
                where refusal.status == 409
            {}
            let end = try await pair.customer.stream.order(order, "paid or expired") {
                $0.state == .enRoute || $0.state == .expired
            }
            if end.state == .enRoute {
                try await pair.customer.phone.act("met", on: order)
                try await pair.provider.phone.act("arrive", on: order)
                try await pair.provider.phone.act("complete", on: order)
                try await pair.customer.phone.act("complete", on: order)
                try await pair.paidOut(order)
                expected -= Pair.total
            }
            try await pair.both(order, end.state == .enRoute ? .completed : .expired)
            try await eventually("the money is where the order's end says") {
                let wallet = try await pair.customer.phone.wallets().first { $0.currency == "SAR" }
                return wallet?.balance == expected && wallet?.held == 0
            }
        }
    }

    /// Other tests of the suite may hold money at the moment, but never more than their orders say.
    private func ledgerIsSound() async throws {
        let desk = try await AdminDesk.signIn(try Platform.ofSuite())
        #expect(try await desk.ledger(of: "SAR")?.sum ?? 0 == 0)
    }
}
