import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Money that must not leave any more", .timeLimit(.minutes(10)))
struct CashOutObstacleTests {
    @Test("W5: a cash-out that waits is not accepted while its wallet is frozen, by nobody; its list says so")
    func frozen() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.give(400_000, to: noura)
            let charge = try await wallet.topUp(1_000, noura)
            let small = try #require(try await wallet.cashOut(4_000, noura).json["cashOut"]?.string)
            let large = try #require(try await wallet.cashOut(300_000, noura).json["cashOut"]?.string)
            // One admin has accepted it before.
            #expect(try await wallet.decide(large, one, accept: true).json["state"]?.string == "waiting")
            try await wallet.dispute(charge, "created", "needs_response")
            let listed = try await wallet.get("markets/assef/cash-outs", one).items
            #expect(listed.map { $0["isFrozen"]?.bool } == [true, true])
            for (id, admin) in [(small, one), (large, two)] {
                for language in ["en", "ar"] {
                    let refused = try await wallet.call(
                        .post, "markets/assef/cash-outs/\(id)/decision", admin, #"{"accept": true}"#,
                        key: UUID.timeOrdered().text, language: language)
                    #expect(refused.status == 409 && refused.slug == "cash-out-wallet-frozen", "\(refused.text)")
                }
            }
            let approvals = try await wallet.get("markets/assef/approvals", two).items
            let approval = try #require(approvals.first?["approval"]?.string)
            #expect(try await wallet.approve(approval, two).slug == "cash-out-wallet-frozen")
            #expect(try await wallet.decide(large, two, accept: false).status == 200)
            try await wallet.dispute(charge, "closed", "won")
            #expect(try await wallet.get("markets/assef/cash-outs", one).items.first?["isFrozen"]?.bool == false)
            #expect(try await wallet.decide(small, one, accept: true).json["state"]?.string == "paying")
            try await wallet.expectSound()
        }
    }

    @Test("W5: a cash-out that waits is not accepted while its owner owes money; its rejection pays the debt")
    func owing() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(4_000, to: salem)
            let id = try #require(try await wallet.cashOut(4_000, salem).json["cashOut"]?.string)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            #expect(try await wallet.balance(salem) == -1_000)
            #expect(try await wallet.decide(id, admin, accept: true).slug == "cash-out-wallet-owes")
            try await wallet.age(salem, days: 31)
            try await wallet.withDeadlines {
                try await eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
                #expect(try await wallet.decide(id, admin, accept: true).slug == "cash-out-account-blocked")
                #expect(try await wallet.decide(id, admin, accept: false).json["state"]?.string == "rejected")
                try await eventually("the provider has the fine") { try await wallet.balance(noura) == 850 }
            }
            #expect(try await wallet.balance(salem) == 3_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a refund that waited for its debtor is the card's money that paid the order, not free money")
    func refundOfDebtor() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let admin = try await wallet.admin()
            for method in ["card", "wallet"] {
                let salem = try await wallet.people.customer()
                if method == "wallet" { try await wallet.topUp(12_000, salem) }
                let order = try await wallet.captured(salem, noura, by: method)
                // The provider has spent it.
                _ = try await wallet.held(noura, huda, amount: try await wallet.balance(noura))
                let refund = try await wallet.refund(
                    order, admin, 4_000, fundedBy: "provider", more: #", "mayOwe": true"#)
                #expect(refund.status == 201, "\(refund.text)")
                #expect(try await wallet.balance(salem) == 0)
                try await wallet.withDeadlines {
                    try await wallet.give(4_000, to: noura)
                    try await eventually("the refund is there") { try await wallet.balance(salem) == 4_000 }
                }
                let answer = try await wallet.cashOut(1, salem)
                #expect(answer.slug == "cash-out-held", "\(method): \(answer.text)")
                #expect(answer.json["nextAmount"]?.integer == 4_000, "\(answer.text)")
            }
            // A provider's part of a fine is earned, also when it had to wait.
            let (badr, fined) = (try await wallet.people.provider("Badr"), try await wallet.people.customer())
            try await wallet.hear(Orders.accepted(by: fined, badr).fined(1_000))
            try await wallet.withDeadlines {
                try await wallet.give(1_000, to: fined)
                try await eventually("the fine is there") { try await wallet.balance(badr) == 850 }
            }
            #expect(try await wallet.cashOut(850, badr).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("W5, O2: who is blocked for a fine gets no top-up back to the card")
    func returnOfBlocked() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let charge = try await wallet.topUp(12_000, salem)
            try await wallet.setCurrency("USD")
            var order = Orders.accepted(by: salem, noura, amount: 900)
            order.total.currency = "USD"
            var fined = order.fined(500)
            fined.fine?.currency = "USD"
            try await wallet.hear(fined)
            try await wallet.age(salem, days: 31)
            try await wallet.withDeadlines {
                try await eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
            }
            let back = try await wallet.post("topups/\(charge.subject.text)/return", salem, "{}")
            #expect(back.status == 403 && back.slug == "account-blocked", "\(back.text)")
            #expect(try await wallet.balance(salem) == 12_000)
        }
    }

    @Test("A1, W8: what a refund's customer owes its funder is given up first, and needs no second admin")
    func cancelledDebt() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.set(.secondApprovalAmount, "100")
            let order = try await wallet.accepted(salem, noura)
            try await wallet.hear(order.fined(1_000))
            let more = #", "mayOwe": true"#
            let answer = try await wallet.refund(
                order, try await wallet.admin(), 850, fundedBy: "provider", more: more)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(try await wallet.balance(salem) == -150)
            try await wallet.expectSound()
        }
    }

    @Test("P5: an order that costs nothing and is due by its acceptance is paid by nobody's request")
    func free() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura, amount: 0)
            #expect(try await wallet.state(of: order) == .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            try await wallet.expectSound()
        }
    }
}
