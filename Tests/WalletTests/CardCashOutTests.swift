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

@Suite("Cash-outs of money from cards", .timeLimit(.minutes(15)))
struct CardCashOutTests {
    private static func request(
        _ wallet: WalletFixture, _ amount: Int, _ person: Person, at: Date
    ) async throws {
        let destination = PayoutDestination(
            kind: .bankAccount, reference: "ba_1", holder: "S", bankName: nil, country: "SA", lastFour: "7519")
        try await wallet.pool.withTransaction { transaction in
            _ = try await RequestCashOut.request(
                amount: amount, currency: "SAR", market: "assef", account: person.account, to: destination,
                saving: false, at: at, in: transaction)
        }
    }

    @Test("W5: money from a card leaves only after 14 days; before, the answer says how much can and when more can")
    func held() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.give(3_000, to: salem)
            try await wallet.topUp(12_000, salem)
            let refused = try await wallet.cashOut(4_000, salem)
            #expect(refused.status == 409 && refused.slug == "cash-out-held", "\(refused.text)")
            #expect(refused.json["available"]?.integer == 3_000 && refused.json["nextAmount"]?.integer == 12_000)
            #expect(refused.json["currency"]?.string == "SAR")
            let next = try #require(refused.json["nextAt"]?.string.flatMap(Timestamp.parse))
            #expect(abs(next.timeIntervalSinceNow - 14 * 86_400) < 600)
            #expect(refused.json["detail"]?.string?.contains("30.00 SAR") == true, "\(refused.text)")
            let arabic = try await wallet.call(
                .post, "cash-outs", salem,
                #"{"market":"assef","amount":4000,"iban":"\#(WalletFixture.iban(endingIn: "7519"))","holder":"NOURA ALI","bankName":"Al Rajhi"}"#,
                key: UUID.timeOrdered().text, language: "ar")
            #expect(arabic.json["title"]?.string == "لا يمكن سحب كل هذا المبلغ الآن", "\(arabic.text)")
            let mine = try await wallet.wallet(of: salem)
            #expect(mine["balance"]?.integer == 15_000 && mine["availableForCashOut"]?.integer == 3_000)
            guard case .array(let later)? = mine["availableLater"] else { throw NoList() }
            #expect(later.map { $0["amount"]?.integer } == [12_000])
            #expect(mine["isFrozen"]?.bool == false)

            let above = try await wallet.cashOut(15_001, salem)
            #expect(above.status == 409 && above.slug == "cash-out-above-balance", "\(above.text)")
            #expect(!above.text.contains("another way to pay"))
            #expect(try await wallet.cashOut(3_000, salem).status == 201)
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
            // At once it pays.
            _ = try await wallet.held(salem, try await wallet.people.provider(), amount: 2_000)
            await #expect(throws: RequestCashOut.Held.self) {
                try await Self.request(wallet, 10_000, salem, at: Date().addingTimeInterval(13.9 * 86_400))
            }
            try await Self.request(wallet, 10_000, salem, at: Date().addingTimeInterval(14 * 86_400 + 60))
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a market may let it go at once, or keep it longer")
    func setting() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.topUp(12_000, salem)
            #expect(try await wallet.cashOut(12_000, salem).slug == "cash-out-held")
            try await wallet.set(.cardHoldDays, "0")
            #expect(try await wallet.cashOut(12_000, salem).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a card's money that an order has held and given back waits as before")
    func heldAndReleased() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.topUp(12_000, salem)
            let order = try await wallet.held(salem, noura)
            try await wallet.hear(order.now(.cancelled))
            #expect(try await wallet.balance(salem) == 12_000)
            let answer = try await wallet.cashOut(1, salem)
            #expect(answer.slug == "cash-out-held" && answer.json["nextAmount"]?.integer == 12_000, "\(answer.text)")
            // What is earned with it is the provider's own.
            let done = try await wallet.captured(salem, noura)
            let earned = try await wallet.balance(noura)
            #expect(try await wallet.cashOut(earned, noura).status == 201)
            // An admin gives it back to the wallet, for what was paid with a card's money.
            #expect(try await wallet.refund(done, try await wallet.admin(), 5_000).status == 201)
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
            #expect(try await wallet.wallet(of: salem)["availableForCashOut"]?.integer == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W5: what was paid from earnings and is given back can leave at once")
    func earnedAndReturned() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            #expect(try await wallet.refund(order, try await wallet.admin(), 12_000).status == 201)
            #expect(try await wallet.cashOut(12_000, salem).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a late cancellation's price, and a refund to the wallet of what a card has paid, wait as a top-up does")
    func otherWays() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let late = try await wallet.held(salem, noura, by: "card")
            try await wallet.hear(late.fined(1_000))
            try await wallet.eventually(late, is: .credited)
            #expect(try await wallet.balance(salem) == 11_000)
            let answer = try await wallet.cashOut(1, salem)
            #expect(answer.slug == "cash-out-held" && answer.json["nextAmount"]?.integer == 11_000, "\(answer.text)")
            let huda = try await wallet.people.customer("Huda")
            let done = try await wallet.captured(huda, noura, by: "card")
            #expect(try await wallet.refund(done, try await wallet.admin(), 4_000).status == 201)
            #expect(try await wallet.cashOut(1, huda).json["nextAmount"]?.integer == 4_000)
            // To the same card it goes at any time.
            #expect(try await wallet.refund(done, try await wallet.admin(), 8_000, to: "card").status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("W5: of concurrent cash-outs and payments none takes a card's money out")
    func concurrent() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_500, to: salem)
            try await wallet.topUp(12_000, salem)
            let order = try await wallet.accepted(salem, noura, amount: 9_000)
            let statuses = try await WalletFixture.statuses(12) { index in
                if index == 5 {
                    _ = try await wallet.pay(order, salem, by: "wallet")
                    try await wallet.hear(order.now(.cancelled))
                }
                return try await wallet.cashOut(1_000, salem).status
            }
            #expect(statuses == [201: 3, 409: 9])
            #expect(try await wallet.balance(salem) == 12_500)
            try await wallet.expectSound()
        }
    }

    @Test("W5: an account tops up and cashes out only so much in a day; what came to nothing does not count")
    func daily() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.set(.dailyTopUpLimit, "10000")
            try await wallet.set(.dailyCashOutLimit, "5000")
            try await wallet.topUp(6_000, salem)
            let card = try await wallet.card(salem)
            @Sendable func topUp(_ amount: Int) async throws -> Answer {
                try await wallet.post(
                    "topups", salem,
                    #"{"market": "assef", "amount": \#(amount), "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            }
            let refused = try await topUp(4_001)
            #expect(refused.status == 409 && refused.slug == "daily-top-up-limit", "\(refused.text)")
            #expect(refused.json["left"]?.integer == 4_000 && refused.json["limit"]?.integer == 10_000)
            #expect(refused.json["detail"]?.string?.contains("40.00 SAR") == true)
            let together = try await WalletFixture.statuses(6) { _ in try await topUp(4_000).status }
            #expect(together[202] == 1, "\(together)")
            try await wallet.give(20_000, to: noura)
            let first = try await wallet.cashOut(4_000, noura)
            #expect(first.status == 201)
            let more = try await wallet.cashOut(2_000, noura)
            #expect(more.status == 409 && more.slug == "daily-cash-out-limit", "\(more.text)")
            #expect(more.json["left"]?.integer == 1_000)
            let id = try #require(first.json["cashOut"]?.string)
            #expect(try await wallet.decide(id, try await wallet.admin(), accept: false).status == 200)
            #expect(try await wallet.cashOut(5_000, noura).status == 201)
            #expect(try await wallet.cashOut(1, noura).slug == "daily-cash-out-limit")
            try await wallet.expectSound()
        }
    }

    @Test("W5: the admin who decides sees where the money came from; others see neither that nor the cash-out")
    func sources() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(12_000, to: salem)
            _ = try await wallet.captured(salem, noura)
            let earned = try await wallet.balance(noura)
            try await wallet.topUp(5_000, noura)
            let cashOut = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
            let seen = try await wallet.get("markets/assef/cash-outs/\(cashOut)", admin)
            let sources = try #require(seen.json["sources"], "\(seen.text)")
            #expect(sources["cards"]?.integer == 5_000 && sources["earnings"]?.integer == earned, "\(seen.text)")
            #expect(sources["refunds"]?.integer == 0 && sources["other"]?.integer == 0)
            #expect(sources["cardMoneyHeld"]?.integer == 5_000 && sources["isFrozen"]?.bool == false)
            #expect(try await wallet.get("markets/assef/cash-outs", admin).items.first?["sources"] == nil)
            #expect(try await wallet.get("cash-outs/\(cashOut)", noura).json["sources"] == nil)
            for other in [salem, noura, try await wallet.admin(in: "btnc")] {
                #expect(try await wallet.get("markets/assef/cash-outs/\(cashOut)", other).status == 403)
            }
        }
    }

    private struct NoList: Error {}
}
