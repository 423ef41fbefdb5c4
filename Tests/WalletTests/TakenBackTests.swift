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

/// Charges that a card's owner disputes at the bank, or that somebody gives back in the payment provider's dashboard.
@Suite("Charges that are taken back", .timeLimit(.minutes(15)))
struct TakenBackTests {
    @Test("W5: a disputed top-up is taken from the wallet, which is frozen, once, however often it is told")
    func disputed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_000, to: salem)
            let charge = try await wallet.topUp(12_000, salem)
            _ = try await wallet.held(salem, noura, amount: 13_000)
            for event in ["created", "created", "funds_withdrawn", "updated"] {
                try await wallet.dispute(charge, event, "needs_response")
            }
            try await wallet.dispute(charge, "updated", "under_review", event: "same")
            try await wallet.dispute(charge, "updated", "under_review", event: "same")
            #expect(try await wallet.balance(salem) == -10_000)
            try await wallet.expectSound()
            let mine = try await wallet.wallet(of: salem)
            #expect(mine["isFrozen"]?.bool == true && mine["availableForCashOut"]?.integer == 0)
            #expect(try await wallet.lines(salem).filter { $0.hasPrefix("refund") } == ["refund -12000 accepted"])
            let seen = try await wallet.get("markets/assef/disputes", try await wallet.admin()).items
            #expect(seen.count == 1 && seen.first?["account"]?.string == salem.account.text)
            #expect(seen.first?["debited"]?["amount"]?.integer == 12_000 && seen.first?["state"]?.string == "open")
            let id = try #require(seen.first?["dispute"]?.string.flatMap(UUID.init(uuidString:)))
            #expect(try await wallet.told(about: id) == ["changed"])
            let open = try await wallet.pool.first(FindOpenMoney(account: salem.account))
            #expect(open?.contains(.heldMoney) == true)

            try await wallet.dispute(charge, "closed", "won")
            try await wallet.dispute(charge, "funds_reinstated", "won")
            try await wallet.dispute(charge, "created", "needs_response")
            #expect(try await wallet.balance(salem) == 2_000)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            #expect(try await wallet.lines(salem).filter { $0.hasPrefix("refund") } == ["refund -12000 rejected"])
            #expect(try await wallet.told(about: id) == ["changed", "changed"])
            try await wallet.expectSound()
        }
    }

    @Test("W5: a frozen wallet pays nothing and cashes nothing out, and is topped up; a card pays as always")
    func frozen() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(50_000, to: salem)
            try await wallet.give(50_000, to: noura)
            let done = try await wallet.captured(salem, noura, amount: 2_000)
            let plan = try await wallet.plan(admin)
            for person in [salem, noura] {
                let charge = try await wallet.topUp(1_000, person)
                try await wallet.dispute(charge, "created", "needs_response", id: "dp_\(person.name)")
            }
            let order = try await wallet.accepted(salem, noura)
            let refusals = [
                try await wallet.pay(order, salem, by: "wallet"),
                try await wallet.post("orders/\(done.order.text)/tip", salem, #"{"amount": 500}"#),
                try await wallet.cashOut(1_000, salem), try await wallet.cashOut(1_000, noura),
                try await wallet.subscribe(noura, to: plan),
            ]
            for answer in refusals { #expect(answer.status == 403 && answer.slug == "wallet-frozen", "\(answer.text)") }
            let deposited = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                $0.deposit = Money(amount: 3_000, currency: "SAR")
            }
            try await wallet.hear(deposited)
            #expect(try await wallet.told(about: deposited.order) == ["refused"])
            try await wallet.topUp(2_000, salem)
            try await wallet.pay(order, salem, held: "card")
            try await wallet.expectSound()
        }
    }

    @Test("W5: a dispute's events may come in any order; the last word counts, and an inquiry takes nothing")
    func order() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let charge = try await wallet.topUp(12_000, salem)
            func stands() async throws -> [Int] {
                [
                    try await wallet.balance(salem),
                    try await wallet.wallet(of: salem)["isFrozen"]?.bool == true ? 1 : 0,
                ]
            }
            try await wallet.dispute(charge, "closed", "won", id: "dp_a")
            try await wallet.dispute(charge, "created", "needs_response", id: "dp_a")
            #expect(try await stands() == [12_000, 0])
            try await wallet.dispute(charge, "created", "warning_needs_response", id: "dp_b")
            #expect(try await stands() == [12_000, 1])
            try await wallet.dispute(charge, "closed", "warning_closed", id: "dp_b")
            #expect(try await stands() == [12_000, 0])
            try await wallet.dispute(charge, "created", "warning_needs_response", id: "dp_c", amount: 5_000)
            try await wallet.dispute(charge, "updated", "needs_response", id: "dp_c", amount: 5_000)
            #expect(try await stands() == [7_000, 1])
            try await wallet.dispute(charge, "closed", "lost", id: "dp_c", amount: 5_000)
            try await wallet.dispute(charge, "updated", "needs_response", id: "dp_c", amount: 5_000)
            #expect(try await stands() == [7_000, 1])
            try await wallet.dispute(charge, "closed", "lost", id: "dp_d", amount: 1_000)
            try await wallet.dispute(charge, "created", "needs_response", id: "dp_d", amount: 1_000)
            #expect(try await stands() == [6_000, 1])
            // Of no charge of ours, or with no word that is known.
            try await wallet.dispute(charge, "updated", "unheard_of", id: "dp_e")
            #expect(try await stands() == [6_000, 1])
            try await wallet.expectSound()
        }
    }

    @Test("W5: who disputes an order's payment owes it; what was an account's that is gone the platform pays")
    func orders() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.captured(salem, noura, by: "card")
            let earned = try await wallet.balance(noura)
            try await wallet.dispute(try await wallet.charge(of: order), "created", "needs_response")
            #expect(try await wallet.balance(salem) == -12_000)
            #expect(try await wallet.balance(noura) == earned)
            #expect(try await wallet.state(of: order) == .captured)
            let huda = try await wallet.people.customer("Huda")
            let old = try await wallet.captured(huda, noura, by: "card")
            try await wallet.pool.withTransaction { transaction in
                try await WalletDeletionHandlers.forget(
                    AccountDeleted(account: huda.account, version: 2, at: Date()), transaction)
            }
            let platform = try await wallet.platform()
            try await wallet.dispute(try await wallet.charge(of: old), "created", "needs_response", id: "dp_2")
            #expect(try await wallet.balance(huda) == 0)
            #expect(try await wallet.platform() == platform - 12_000)
            try await wallet.dispute(try await wallet.charge(of: old), "closed", "won", id: "dp_2")
            #expect(try await wallet.platform() == platform)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W5: what is given back of a top-up in the dashboard is taken from the wallet, in parts, once, and freezes it")
    func dashboard() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let charge = try await wallet.topUp(12_000, salem)
            for amount in [500, 500, 2_000, 500] { try await wallet.givenBack(charge, amount) }
            #expect(try await wallet.balance(salem) == 10_000)
            for _ in 0..<2 { try await wallet.givenBack(charge, 12_000) }
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == true)
            let admin = try await wallet.admin()
            let seen = try await wallet.get("markets/assef/disputes?kind=refund&freezes=true", admin).items
            #expect(seen.compactMap { $0["amount"]?["amount"]?.integer } == [10_000, 1_500, 500], "\(seen)")
            #expect(seen.allSatisfy { $0["state"]?.string == "made" })
            try await wallet.expectSound()
        }
    }

    @Test("W5: what was asked for from here is not taken again, and of an order it is the platform's gift")
    func dashboardOfOrder() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.captured(salem, noura, by: "card")
            let charge = try await wallet.charge(of: order)
            #expect(try await wallet.refund(order, try await wallet.admin(), 500, to: "card").status == 201)
            try await wallet.givenBack(charge, 500)
            let platform = try await wallet.platform()
            let admin = try await wallet.admin()
            #expect(try await wallet.get("markets/assef/disputes", admin).items.isEmpty)
            try await wallet.givenBack(charge, 900)
            #expect(try await wallet.platform() == platform - 400)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            let seen = try await wallet.get("markets/assef/disputes", admin).items
            #expect(seen.count == 1 && seen.first?["order"]?.string == order.order.text)
            #expect(seen.first?["debited"]?["amount"]?.integer == 0 && seen.first?["freezes"]?.bool == false)
            // A late cancellation's price is in the wallet, and is taken from there.
            let late = try await wallet.held(salem, noura, by: "card")
            try await wallet.hear(late.fined(1_000))
            try await wallet.eventually(late, is: .credited)
            try await wallet.givenBack(try await wallet.charge(of: late), 12_000)
            #expect(try await wallet.balance(salem) == -1_000)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == true)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a part that is told before its top-up is known is asked for again")
    func early() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            let answer = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 12000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            let topUp = try #require(answer.json["topUp"]?.string.flatMap(UUID.init(uuidString:)))
            let charge = try #require(try await wallet.pool.query(AllCharges(subject: topUp)).first)
            let known = try #require(try await wallet.pool.first(FindCharge(charge: charge)))
            #expect(try await wallet.givenBack(known, 500).status == 409)
            let done = WalletFixture.event(
                "succeeded", status: "succeeded", charge: known.id, reference: "pi_1", amount: 12_000)
            #expect(try await wallet.webhook(done).status == 200)
            let captured = try #require(try await wallet.pool.first(FindCharge(charge: charge)))
            #expect(try await wallet.givenBack(captured, 500).status == 200)
            #expect(try await wallet.balance(salem) == 11_500)
            try await wallet.expectSound()
        }
    }

    @Test("W5: an admin of the market ends a freeze, with a reason that is told; nobody else does, nor for oneself")
    func unfrozen() async throws {
        try await WalletFixture.run { wallet in
            let (salem, admin) = (try await wallet.people.customer(), try await wallet.admin())
            let charge = try await wallet.topUp(12_000, salem)
            try await wallet.give(5_000, to: salem)
            try await wallet.dispute(charge, "closed", "lost")
            let path = "markets/assef/wallets/\(salem.account.text)/unfreezing"
            let body = #"{"reason": "The bank has decided."}"#
            for other in [salem, try await wallet.people.provider(), try await wallet.admin(in: "btnc")] {
                #expect(try await wallet.post(path, other, body).status == 403)
            }
            let btnc = "markets/btnc/wallets/\(salem.account.text)/unfreezing"
            #expect(try await wallet.post(btnc, try await wallet.admin(in: "btnc"), body).status == 404)
            #expect(try await wallet.post(path, admin, "{}").status == 422)
            #expect(try await wallet.post(path, admin, body, key: nil).status == 400)
            let key = UUID.timeOrdered().text
            let answer = try await wallet.post(path, admin, body, key: key)
            #expect(answer.status == 200 && answer.json["isFrozen"]?.bool == false, "\(answer.text)")
            #expect(try await wallet.post(path, admin, body, key: key).text == answer.text)
            #expect(try await wallet.post(path, admin, body).status == 404)
            #expect(try await wallet.told(about: salem.account).filter { $0 == "unfrozen" }.count == 1)
            #expect(try await wallet.balance(salem) == 5_000)
            #expect(try await wallet.cashOut(5_000, salem).status == 201)
            // What is lost already is told again, and freezes nothing.
            try await wallet.dispute(charge, "updated", "lost")
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            let own = try await wallet.people.person("Admin", "admin")
            let mine = "markets/assef/wallets/\(own.account.text)/unfreezing"
            #expect(try await wallet.post(mine, own, body).slug == "own-matter")
        }
    }

    @Test("W5: a dispute of which nothing is left takes nothing and freezes nothing")
    func nothingLeft() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let charge = try await wallet.topUp(12_000, salem)
            for amount in [0, -5] {
                try await wallet.dispute(charge, "created", "needs_response", id: "dp_\(amount)", amount: amount)
            }
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            #expect(try await wallet.get("markets/assef/disputes", try await wallet.admin()).items.isEmpty)
        }
    }

    @Test("W8: nothing goes back to a card whose owner disputes the charge, nor more than is left of it there")
    func refundOfDisputed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let order = try await wallet.captured(salem, noura, by: "card")
            let charge = try await wallet.charge(of: order)
            try await wallet.dispute(charge, "created", "needs_response", amount: 2_000)
            let refused = try await wallet.refund(order, admin, 500, to: "card")
            #expect(refused.status == 409 && refused.slug == "refund-charge-disputed", "\(refused.text)")
            #expect(try await wallet.refund(order, admin, 500).status == 201)
            try await wallet.dispute(charge, "closed", "won", amount: 2_000)
            #expect(try await wallet.refund(order, admin, 500, to: "card").status == 201)
            // In the dashboard most of it went back.
            try await wallet.givenBack(charge, 11_000)
            let above = try await wallet.refund(order, admin, 1_001, to: "card")
            #expect(above.slug == "refund-above-captured" && above.json["left"]?.integer == 1_000, "\(above.text)")
            #expect(try await wallet.refund(order, admin, 1_000, to: "card").status == 201)
            try await wallet.dispute(charge, "closed", "lost", id: "dp_2", amount: 100)
            #expect(try await wallet.refund(order, admin, 100, to: "card").slug == "refund-charge-disputed")
            try await wallet.expectSound()
        }
    }

    @Test("W5: admins see the market's disputes page by page, by what they are; nobody else does")
    func lists() async throws {
        try await WalletFixture.run { wallet in
            let (salem, admin) = (try await wallet.people.customer(), try await wallet.admin())
            let charge = try await wallet.topUp(12_000, salem)
            for index in 1...3 {
                try await wallet.dispute(charge, "created", "needs_response", id: "dp_\(index)", amount: index * 100)
            }
            try await wallet.dispute(charge, "closed", "won", id: "dp_2", amount: 200)
            let first = try await wallet.get("markets/assef/disputes?limit=2", admin)
            #expect(first.items.compactMap { $0["amount"]?["amount"]?.integer } == [300, 200])
            let next = try #require(first.json["next"]?.string)
            let second = try await wallet.get("markets/assef/disputes?limit=2&cursor=\(next)", admin)
            #expect(second.items.compactMap { $0["amount"]?["amount"]?.integer } == [100])
            let won = try await wallet.get("markets/assef/disputes?state=won&account=\(salem.account.text)", admin)
            #expect(won.items.count == 1 && won.items.first?["freezes"]?.bool == false)
            #expect(try await wallet.get("markets/assef/disputes?freezes=false", admin).items.count == 1)
            let wrong = "markets/assef/disputes?kind=x&state=y&account=z&freezes=q"
            #expect(try await wallet.get(wrong, admin).codes.count == 4)
            let id = try #require(won.items.first?["dispute"]?.string)
            #expect(try await wallet.get("markets/assef/disputes/\(id)", admin).json["state"]?.string == "won")
            let other = try await wallet.admin(in: "btnc")
            #expect(try await wallet.get("markets/btnc/disputes", other).items.isEmpty)
            #expect(try await wallet.get("markets/btnc/disputes/\(id)", other).status == 404)
            for person in [salem, other] {
                #expect(try await wallet.get("markets/assef/disputes", person).status == 403)
                #expect(try await wallet.get("markets/assef/disputes/\(id)", person).status == 403)
            }
        }
    }

    @Test("W5: each step of a dispute has one rule; what is decided stays so, unless a bank thinks better of it")
    func table() {
        for rule in Dispute.rules {
            #expect(Dispute.rules.count { $0.from == rule.from && $0.to == rule.to } == 1)
            #expect(![Dispute.State.won, .dismissed, .made].contains { $0 == rule.from })
        }
        var dispute = Dispute(
            id: .timeOrdered(), reference: "dp_1", kind: .dispute, charge: .timeOrdered(), account: .timeOrdered(),
            market: "assef", order: nil, currency: "SAR", amount: 100, payer: .wallet, madeAt: Date())
        #expect(dispute.hear(.lost, reason: "fraudulent") == .debit && dispute.isFreezing)
        #expect(dispute.hear(.open, reason: nil) == nil && dispute.state == .lost && dispute.reason == "fraudulent")
        #expect(dispute.hear(.won, reason: nil) == .giveBack && !dispute.isFreezing && !dispute.isDebited)
        #expect(dispute.hear(.lost, reason: nil) == nil)
    }
}

private struct AllCharges: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE subject = $1"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
