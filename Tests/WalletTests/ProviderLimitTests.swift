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

/// What the payment provider does not take: too little, too much, and what it cannot count.
@Suite("The payment provider's limits", .timeLimit(.minutes(15)))
struct ProviderLimitTests {
    @Test("W2: an order that costs less than a card can pay is refused with the bounds, and the wallet pays it")
    func tooSmall() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.setCurrency("SEK")
            try await wallet.give(100, to: salem, currency: "SEK")
            let order = try await wallet.accepted(salem, noura, amount: 100, currency: "SEK")
            let card = try await wallet.card(salem)
            let answer = try await wallet.payByCard(order, salem, card)
            #expect(answer.status == 422 && answer.slug == "amount-not-chargeable", "\(answer.text)")
            #expect(answer.json["minimum"]?.integer == 300 && answer.json["maximum"]?.integer == 99_999_999)
            #expect(answer.json["step"]?.integer == 1 && answer.json["currency"]?.string == "SEK")
            let text = answer.json["detail"]?.string ?? ""
            #expect(text.contains("3.00 to 999999.99 SEK") && text.contains("pay from the wallet"), "\(text)")
            let arabic = try await wallet.call(
                .post, "orders/\(order.order.text)/payment", salem,
                #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#, key: UUID.timeOrdered().text,
                language: "ar")
            let detail = arabic.json["detail"]?.string ?? ""
            #expect(detail.contains("المحفظة") && detail.contains("3.00") && detail.contains("SEK"), "\(detail)")
            #expect(try await wallet.state(of: order) == .due && wallet.sandbox.totals["sek"] == nil)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("W2, C7: so is one of which a promo code leaves too little, and its code is not used")
    func discounted() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.setCurrency("SEK")
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount":900,"limit":1"#)
            try await wallet.give(1_000, to: salem, currency: "SEK")
            let order = try await wallet.accepted(salem, noura, amount: 1_000, currency: "SEK")
            let card = try await wallet.card(salem)
            let answer = try await wallet.post(
                "orders/\(order.order.text)/payment", salem,
                #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#)
            #expect(answer.slug == "amount-not-chargeable", "\(answer.text)")
            #expect(try await wallet.pay(order, salem, by: "wallet", promoCode: "SPRING").status == 202)
            #expect(try await wallet.balance(salem, currency: "SEK") == 900)
            try await wallet.expectSound()
        }
    }

    @Test("W2: dinars are charged in whole tens of their thousandths; other amounts are refused at once")
    func thousandths() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.setCurrency("KWD")
            let card = try await wallet.card(salem)
            let odd = try await wallet.accepted(salem, noura, amount: 12_005, currency: "KWD")
            let refused = try await wallet.payByCard(odd, salem, card)
            #expect(refused.slug == "amount-not-chargeable" && refused.json["step"]?.integer == 10, "\(refused.text)")
            #expect(refused.json["detail"]?.string?.contains("in steps of 0.010") == true, "\(refused.text)")
            let order = try await wallet.accepted(salem, noura, amount: 12_010, currency: "KWD")
            #expect(try await wallet.payByCard(order, salem, card).status == 202)
            try await wallet.eventually(order, is: .held)
            // It costs less: what the payment provider can count goes to the card, the rest to the wallet.
            try await wallet.hear(
                order.now(.completed, version: 6) { $0.total = Money(amount: 4_567, currency: "KWD") })
            try await wallet.eventually(order, is: .captured)
            try await eventually("it is given back") { wallet.sandbox.totals["kwd"]?.refunded == 7_440 }
            #expect(try await wallet.balance(salem, currency: "KWD") == 3)
            let admin = try await wallet.admin()
            #expect(try await wallet.refund(order, admin, 1_005, to: "card").slug == "refund-out-of-bounds")
            #expect(try await wallet.refund(order, admin, 1_000, to: "card").status == 201)
            #expect(try await wallet.refund(order, admin, 1_005).status == 201)
            try await eventually("it is given back") { wallet.sandbox.totals["kwd"]?.refunded == 8_440 }
            try await wallet.expectSound()
        }
    }

    @Test("W2: ariary are charged once, and not hundredfold; krónur and shillings as many as there are")
    func otherUnits() async throws {
        for (code, amount, counted) in [("MGA", 50_000, 500), ("ISK", 500, 50_000), ("UGX", 9_000, 900_000)] {
            try await WalletFixture.run { wallet in
                let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
                try await wallet.setCurrency(code)
                let order = try await wallet.accepted(salem, noura, amount: amount, currency: code)
                try await wallet.pay(order, salem, held: "card")
                try await wallet.hear(order.now(.completed))
                try await wallet.eventually(order, is: .captured)
                #expect(wallet.sandbox.totals[code.lowercased()]?.captured == counted, "\(code)")
                #expect(try await wallet.refund(order, try await wallet.admin(), amount / 5, to: "card").status == 201)
                try await eventually("it is given back") {
                    wallet.sandbox.totals[code.lowercased()]?.refunded == counted / 5
                }
                // What is told in the payment provider's units is read in them.
                try await wallet.dispute(
                    try await wallet.charge(of: order), "created", "needs_response", amount: counted / 2)
                #expect(try await wallet.balance(salem, currency: code) == -amount / 2)
                try await wallet.expectSound()
            }
        }
    }

    @Test(
        "W5: what is said of a top-up's bounds is what holds for it, in the form of the currency, in field and problem",
        arguments: [
            ("SAR", 100, 10_000_000, "1.00", "100000.00"), ("JPY", 100, 10_000_000, "100", "10000000"),
            ("KWD", 100, 10_000_000, "0.100", "10000.000"), ("HUF", 17_500, 10_000_000, "175.00", "100000.00"),
        ])
    func topUpBounds(code: String, minimum: Int, maximum: Int, least: String, most: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let noura = try await wallet.people.provider()
            if code != "SAR" { try await wallet.setCurrency(code) }
            try await wallet.set(.dailyTopUpLimit, "1000000000")
            let card = try await wallet.card(noura)
            func ask(_ amount: Int, _ market: String = "assef") async throws -> Answer {
                try await wallet.post(
                    "topups", noura,
                    #"{"market": "\#(market)", "amount": \#(amount), "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            }
            for amount in [minimum - 1, maximum + 1, 0, -5, .max, .min] {
                let answer = try await ask(amount)
                #expect(answer.status == 422 && answer.slug == "top-up-out-of-bounds", "\(amount) \(answer.text)")
                #expect(answer.json["minimum"]?.integer == minimum && answer.json["maximum"]?.integer == maximum)
                let said = "from \(least) \(code) to \(most) \(code)"
                #expect(answer.text.contains(said), "\(answer.text)")
                #expect(answer.text.contains("A top-up is \(least) to \(most) \(code)"), "\(answer.text)")
            }
            for amount in [minimum, maximum] {
                #expect(try await ask(amount).status == 202, "\(amount)")
            }
        }
    }

    @Test("W2, W5: top-ups, cash-outs and subscriptions by card are refused with the bounds as well")
    func others() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.setCurrency("HUF")
            let card = try await wallet.card(noura)
            let topUp = try await wallet.post(
                "topups", noura, #"{"market": "assef", "amount": 17499, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(topUp.status == 422 && topUp.slug == "top-up-out-of-bounds", "\(topUp.text)")
            #expect(topUp.json["minimum"]?.integer == 17_500)
            #expect(topUp.codes == ["/amount": "out-of-range"])
            try await wallet.give(50_000, to: noura, currency: "HUF")
            let cashOut = try await wallet.cashOut(1_050, noura)
            #expect(cashOut.status == 422 && cashOut.slug == "cash-out-out-of-bounds", "\(cashOut.text)")
            #expect(cashOut.json["step"]?.integer == 100)
            let paid = try await wallet.cashOut(1_000, noura)
            #expect(paid.status == 201, "\(paid.text)")
            let plan = try await wallet.plan(try await wallet.admin(), price: 9_900)
            let byCard = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "renews": false}"#
            )
            #expect(byCard.status == 422 && byCard.slug == "amount-not-chargeable", "\(byCard.text)")
            #expect(try await wallet.subscribe(noura, to: plan).status == 201)
            #expect(try await wallet.balance(salem, currency: "HUF") == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W3: a card is not charged by consent for what it cannot pay; the order stays due, and that is told")
    func byConsent() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.setCurrency("SEK")
            let card = try await wallet.post(
                "cards", salem, wallet.newCard("4242424242424242", #", "consent": true"#))
            #expect(card.status == 201, "\(card.text)")
            var order = Orders.accepted(by: salem, noura, amount: 100)
            order.total.currency = "SEK"
            order.paysByConsent = true
            try await wallet.hear(order)
            #expect(try await wallet.state(of: order) == .due)
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["refusal"]?.string == "amount-out-of-bounds", "\(view.text)")
            #expect(try await wallet.told(about: order.order) == ["refused"])
        }
    }

    @Test(
        "W2: where the payment provider has other bounds, its refusal is no fault of its own that would be tried again",
        arguments: ["amount_too_small", "amount_too_large", "parameter_invalid_integer"])
    func refusedThere(code: String) {
        let body = #"{"error": {"type": "invalid_request_error", "code": "\#(code)", "message": "x"}}"#
        let charge = Charge(
            id: .timeOrdered(), purpose: .topUp, subject: .timeOrdered(), amount: 5, currency: "SAR", card: "pm_1",
            cvvReference: nil, madeAt: Date())
        let answer = PaymentProviderAnswer(status: 400, body: Data(body.utf8)).meaning(of: .take, charge)
        guard case .known(.declined(let reason), _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason == "amount-out-of-bounds")
    }

    @Test("W2: what is let through here the sandbox takes, and what is not it refuses, in every currency")
    func sameBounds() throws {
        func takes(_ check: (Int, String) throws(StripeError) -> Void, _ amount: Int, _ currency: Currency) -> Bool {
            guard amount > 0, let counted = currency.providerAmount(of: amount) else { return false }
            do throws(StripeError) {
                try check(counted, currency.code.lowercased())
                return true
            } catch {
                return false
            }
        }
        for currency in Currency.all.values {
            let charges = ProviderBounds.charges(in: currency)
            let payouts = ProviderBounds.payouts(in: currency)
            for (bounds, check) in [(charges, AmountRules.checkCharge), (payouts, AmountRules.checkPayout)] {
                let near = [bounds.minimum, bounds.maximum].flatMap { edge in
                    [-2, -1, 0, 1, 2].flatMap { [edge + $0, edge + $0 * bounds.step] }
                }
                for amount in near {
                    #expect(
                        bounds.allows(amount) == takes(check, amount, currency), "\(currency.code) \(amount) \(bounds)")
                }
            }
        }
    }
}
