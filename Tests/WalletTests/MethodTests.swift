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

@Suite("Ways to pay", .timeLimit(.minutes(15)))
struct MethodTests {
    /// Lets the market take everything.
    static func allowAll(_ wallet: WalletFixture) async throws {
        try await wallet.pool.execute(
            SetSetting(key: "paymentMethods", value: MarketSettings.knownPaymentMethods.joined(separator: ",")))
        try await wallet.parts.markets.refresh()
    }

    @Test(
        "W2: an order is paid with what a phone's wallet gives, captured and told by its own name",
        arguments: [("applePay", "tok_sandbox_apple_pay"), ("googlePay", "tok_sandbox_google_pay")])
    func phoneWallets(method: String, token: String) async throws {
        try await WalletFixture.run { wallet in
            try await Self.allowAll(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let answer = try await wallet.pay(order, salem, by: method, token: token)
            #expect(answer.status == 202 && answer.json["method"]?.string == method, "\(answer.text)")
            try await wallet.eventually(order, is: .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(wallet.books.captured == 12_000)
            let line = try await wallet.get("statement", salem).items.first
            #expect(line?["method"]?.string == method && line?["state"]?.string == "accepted")
            let held = try await wallet.outbox("wallet.payment.held.v1")
            #expect(held.count == 1 && held[0].contains("\"\(method)\""))
            try await wallet.expectSound()
        }
    }

    @Test("W2: PayPal sends its customer away; after a yes the price is held, and given back when the order ends")
    func payPal() async throws {
        try await WalletFixture.run { wallet in
            try await Self.allowAll(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            for (end, state) in [(OrderSnapshot.State.completed, PaymentState.captured), (.cancelled, .released)] {
                let order = try await wallet.accepted(salem, noura)
                #expect(try await wallet.pay(order, salem, by: "payPal").status == 202)
                try await wallet.answer(try await wallet.actionURL(order, salem), yes: true)
                try await wallet.checkNow()
                try await wallet.eventually(order, is: .held)
                try await wallet.hear(order.now(end))
                try await wallet.eventually(order, is: state)
            }
            #expect(wallet.books == Books(held: 0, captured: 12_000, cancelled: 12_000, refunded: 0, payments: 2))
            try await wallet.expectSound()
        }
    }

    @Test("W2: a token that is none, of another wallet, or refused leaves the order waiting")
    func wrongTokens() async throws {
        try await WalletFixture.run { wallet in
            try await Self.allowAll(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "applePay").codes == ["/token": "required"])
            let wrong = [
                "tok_unknown": "card-refused", "tok_sandbox_google_pay": "card-refused", "pm_12345": "invalid-value",
            ]
            for (token, code) in wrong {
                let answer = try await wallet.pay(order, salem, by: "applePay", token: token)
                #expect(answer.codes == ["/token": code], "\(answer.text)")
            }
            #expect(try await wallet.state(of: order) == .due)
            let declined = "tok_sandbox_apple_pay_declined"
            #expect(try await wallet.pay(order, salem, by: "applePay", token: declined).status == 202)
            try await TestKit.eventually("the refusal is told") {
                try await wallet.told(about: order.order) == ["refused"]
            }
            wallet.setProviderDown(true)
            let down = try await wallet.pay(order, salem, by: "applePay", token: "tok_sandbox_apple_pay")
            #expect(down.status == 503, "\(down.text)")
            wallet.setProviderDown(false)
            // Its bank asks here too.
            let asks = try await wallet.pay(order, salem, by: "googlePay", token: "tok_sandbox_google_pay_asks")
            #expect(asks.status == 202)
            try await wallet.answer(try await wallet.actionURL(order, salem), yes: true)
            try await wallet.checkNow()
            try await wallet.eventually(order, is: .held)
            #expect(!wallet.logs.text.contains("tok_sandbox"))
            try await wallet.expectSound()
        }
    }

    @Test("P2: a method that the market does not allow pays no order and fills no wallet")
    func notAllowed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "payPal").codes == ["/method": "not-a-choice"])
            let topUp = #"{"market": "assef", "amount": 5000, "method": "payPal"}"#
            #expect(try await wallet.post("topups", salem, topUp).codes == ["/method": "not-a-choice"])
            for method in ["cash", "wallet", "gold"] {
                let body = topUp.replacing("payPal", with: method)
                #expect(try await wallet.post("topups", salem, body).codes["/method"] == "not-a-choice")
            }
        }
    }

    @Test("W5: a wallet is filled by Apple Pay, Google Pay and PayPal, each once")
    func topUps() async throws {
        try await WalletFixture.run { wallet in
            try await Self.allowAll(wallet)
            let salem = try await wallet.people.customer()
            for (method, token) in [
                ("applePay", #", "token": "tok_sandbox_apple_pay""#),
                ("googlePay", #", "token": "tok_sandbox_google_pay""#),
                ("payPal", ""),
            ] {
                let key = UUID.timeOrdered().text
                let body = #"{"market": "assef", "amount": 1000, "method": "\#(method)"\#(token)}"#
                let first = try await wallet.post("topups", salem, body, key: key)
                #expect(first.status == 202 && first.json["method"]?.string == method, "\(first.text)")
                #expect(try await wallet.post("topups", salem, body, key: key).text == first.text)
                let path = "topups/\(try #require(first.json["topUp"]?.string))"
                if method == "payPal" {
                    try await wallet.answer(try await wallet.actionURL(path, salem), yes: true)
                    try await wallet.checkNow()
                }
                try await TestKit.eventually("\(method) is there") {
                    try await wallet.get(path, salem).json["state"]?.string == "completed"
                }
            }
            #expect(try await wallet.balance(salem) == 3_000 && wallet.books.captured == 3_000)
            let lines = try await wallet.get("statement", salem).items
            #expect(lines.map { $0["payer"]?.string } == ["Apple Pay", "Google Pay", "PayPal"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W6: for a minute the payment provider is away: nothing is guessed, and when it is back nothing is done twice")
    func aMinuteAway() async throws {
        try await WalletFixture.run(tries: 20) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            let (paid, done) = (try await wallet.accepted(salem, noura), try await wallet.accepted(salem, noura))
            _ = try await wallet.payByCard(done, salem, card)
            try await wallet.eventually(done, is: .held)
            wallet.setProviderDown(true)
            try await wallet.hear(done.now(.completed))
            // Tokens are asked for in the request, so a card cannot be used now; this one was before.
            wallet.setProviderDown(false)
            _ = try await wallet.payByCard(paid, salem, card)
            wallet.setProviderDown(true)
            // As often as a minute has room for: 1 + 2 + 4 + 8 + 16 + 32 seconds of pauses, which are cut short here.
            try await TestKit.eventually("both were asked for a minute") {
                try await wallet.checkNow()
                let states = [try await wallet.charge(of: paid), try await wallet.charge(of: done)]
                return states.allSatisfy { $0.tries >= 7 || $0.nextRequest == nil }
            }
            try await wallet.expectSound()
            wallet.setProviderDown(false)
            try await wallet.checkNow()
            try await wallet.eventually(paid, is: .held)
            try await wallet.eventually(done, is: .captured)
            #expect(wallet.books == Books(held: 12_000, captured: 12_000, cancelled: 0, refunded: 0, payments: 2))
            #expect(try await wallet.told(about: paid.order) == ["held"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W6: away for as many tries as are shipped, its authorisation is given up, the order paid otherwise, nothing doubled"
    )
    func givenUp() async throws {
        let tries = try #require(WalletConfiguration.tries.defaultValue)
        #expect(PaymentWorker.Settings().triesBeforeGivingUp == tries)
        try await WalletFixture.run(workers: 0, tries: tries) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.payByCard(order, salem, card).status == 202)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let path = "topups/\(try #require(topUp.json["topUp"]?.string))"
            // Both are made there, and nobody hears of it: the payment provider goes away with the answers.
            for charge in try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 0)) {
                _ = await wallet.parts.provider.ask(try #require(charge.nextRequest), charge)
            }
            #expect(wallet.books.payments == 2)
            let asked = try await wallet.charge(of: order)
            wallet.setProviderDown(true)
            try await wallet.working {
                // With all the pauses: half a minute.
                try await wallet.eventually(order, is: .due)
                let charge = try #require(try await wallet.pool.first(FindCharge(charge: asked.id)))
                #expect(charge.tries >= tries && charge.state == .asked && charge.goal == .cancel)
                #expect(try await wallet.told(about: order.order) == ["refused"])
                let line = try await wallet.get("statement?kind=payment", salem).items.first
                #expect(line?["reason"]?.string == "provider-down")
                #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
                #expect(try await wallet.state(of: order) == .held)
                #expect(try await wallet.get(path, salem).json["state"]?.string == "waiting")
                wallet.setProviderDown(false)
                try await TestKit.eventually("it is undone, and the top-up counts", poll: .milliseconds(200)) {
                    try await wallet.checkNow()
                    let state = try await wallet.get(path, salem).json["state"]?.string
                    return wallet.books.cancelled == 12_000 && state == "completed"
                }
                try await TestKit.eventually("nothing more is asked") {
                    let next = try await wallet.pool.first(NextCharge()) ?? nil
                    return next == nil
                }
            }
            #expect(wallet.books == Books(held: 0, captured: 5_000, cancelled: 12_000, refunded: 0, payments: 2))
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.told(about: order.order) == ["refused", "held", "captured"])
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.balance(salem) == 5_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W4: an outcome that nobody told of for a day is looked for, never guessed: a yes counts, nothing is charged anew"
    )
    func lookedFor() async throws {
        try await WalletFixture.run(workers: 0, tries: 20) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, card)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let path = "topups/\(try #require(topUp.json["topUp"]?.string))"
            // Both are asked for, and both answers are lost.
            for charge in try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)) {
                _ = await wallet.parts.provider.ask(try #require(charge.nextRequest), charge)
            }
            #expect(wallet.books.payments == 2)
            try await wallet.pool.execute(AgeAll())
            wallet.setProviderDown(true)
            try await wallet.working {
                try await TestKit.eventually("it was looked for") {
                    wallet.logs.text.contains("\"charge.request\": find")
                }
                #expect(try await wallet.state(of: order) == .authorising)
                wallet.setProviderDown(false)
                try await wallet.checkNow()
                try await wallet.eventually(order, is: .held)
                try await TestKit.eventually("the top-up counts") {
                    try await wallet.get(path, salem).json["state"]?.string == "completed"
                }
            }
            #expect(wallet.books.payments == 2)
            try await wallet.expectSound()
        }
    }
}

struct SetSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ($3, $1, $2, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = market_settings.version + 1
        """
    var market = "assef"
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(key, value, market) }
}

private struct AgeAll: Statement {
    static let sql: SQL = "UPDATE charges SET made_at = now() - interval '25 hours', due_at = now()"
}
