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

@Suite("Top-ups that go back to their cards", .timeLimit(.minutes(15)))
struct TopUpReturnTests {
    private static let otherCard = "5555555555554444"

    private static func giveBack(
        _ wallet: WalletFixture, _ charge: SeraiWallet.Charge, _ person: Person, language: String = "en"
    ) async throws -> Answer {
        try await wallet.call(
            .post, "topups/\(charge.subject.text)/return", person, "{}", key: UUID.timeOrdered().text,
            language: language)
    }

    private static func spend(_ wallet: WalletFixture, _ amount: Int, _ person: Person) async throws -> OrderSnapshot {
        try await wallet.held(person, try await wallet.people.provider(), amount: amount)
    }

    @Test("W5: a spent top-up gives nothing back: another card's money does not go to its card, old or new")
    func spent() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let first = try await wallet.topUp(20_001, salem)
            _ = try await Self.spend(wallet, 20_001, salem)
            let second = try await wallet.topUp(20_001, salem, with: Self.otherCard)
            let refused = try await Self.giveBack(wallet, first, salem)
            #expect(refused.status == 409 && refused.slug == "top-up-not-returnable", "\(refused.text)")
            let arabic = try await Self.giveBack(wallet, first, salem, language: "ar")
            #expect(arabic.json["title"]?.string == "لا يمكن إعادة شيء من هذا الشحن إلى البطاقة", "\(arabic.text)")
            #expect(try await wallet.balance(salem) == 20_001)
            #expect(try await Self.giveBack(wallet, second, salem).status == 202)
            #expect(try await wallet.balance(salem) == 0)
            try await eventually("it is on the other card") { wallet.books.refunded == 20_001 }
            try await wallet.expectSound()
        }
    }

    @Test("W5: an old top-up that goes back does not stay for a cash-out besides")
    func old() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let first = try await wallet.topUp(10_000, salem)
            try await wallet.age(topUp: first.subject, days: 30)
            try await wallet.topUp(10_000, salem, with: Self.otherCard)
            #expect(try await wallet.wallet(of: salem)["availableForCashOut"]?.integer == 10_000)
            #expect(try await Self.giveBack(wallet, first, salem).status == 202)
            let mine = try await wallet.wallet(of: salem)
            #expect(mine["balance"]?.integer == 10_000 && mine["availableForCashOut"]?.integer == 0, "\(mine)")
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
        }
    }

    @Test("W5: what is left of a top-up goes back, once among many at once, and again what comes back of an order")
    func parts() async throws {
        try await WalletFixture.run { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            try await wallet.give(4_000, to: salem)
            let charge = try await wallet.topUp(12_000, salem)
            #expect(try await Self.giveBack(wallet, charge, huda).status == 404)
            let order = try await Self.spend(wallet, 5_000, salem)
            let together = try await WalletFixture.statuses(4) { _ in
                try await Self.giveBack(wallet, charge, salem).status
            }
            #expect(together == [202: 1, 409: 3])
            #expect(try await wallet.balance(salem) == 4_000)
            try await eventually("it is on the card") { wallet.books.refunded == 7_000 }
            try await wallet.givenBack(charge, 7_000)
            #expect(try await wallet.lines(salem).contains("refund -7000 accepted"))
            try await wallet.hear(order.now(.cancelled))
            let again = try await Self.giveBack(wallet, charge, salem)
            #expect(again.status == 202 && again.json["returned"]?["amount"]?.integer == 5_000, "\(again.text)")
            try await eventually("all of it is on the card") { wallet.books.refunded == 12_000 }
            try await wallet.givenBack(charge, 12_000)
            #expect(try await wallet.balance(salem) == 4_000)
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            #expect(try await Self.giveBack(wallet, charge, salem).slug == "top-up-not-returnable")
            // Who also disputes it has it twice.
            try await wallet.dispute(charge, "created", "needs_response")
            #expect(try await wallet.balance(salem) == -8_000)
            let other = try await wallet.topUp(20_000, salem)
            #expect(try await Self.giveBack(wallet, other, salem).slug == "wallet-frozen")
            try await wallet.expectSound()
        }
    }

    @Test("W5: what a card has paid of a debt is not free when the dispute is won")
    func debt() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let first = try await wallet.topUp(20_000, salem)
            _ = try await Self.spend(wallet, 15_000, salem)
            try await wallet.dispute(first, "created", "needs_response")
            let frozen = try await wallet.cashOut(100, salem)
            #expect(frozen.status == 403 && frozen.slug == "wallet-frozen", "\(frozen.text)")
            try await wallet.topUp(20_000, salem, with: Self.otherCard)
            #expect(try await wallet.balance(salem) == 5_000)
            try await wallet.dispute(first, "closed", "won")
            let mine = try await wallet.wallet(of: salem)
            #expect(mine["balance"]?.integer == 25_000 && mine["availableForCashOut"]?.integer == 0, "\(mine)")
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
            let back = try await Self.giveBack(wallet, first, salem)
            #expect(back.json["returned"]?["amount"]?.integer == 5_000, "\(back.text)")
            try await wallet.expectSound()
        }
    }

    @Test("W5: a debt of long ago that a card has paid just now is that card's, too")
    func oldDebt() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let first = try await wallet.topUp(20_000, salem)
            _ = try await Self.spend(wallet, 20_000, salem)
            try await wallet.dispute(first, "created", "needs_response")
            #expect(try await wallet.balance(salem) == -20_000)
            try await wallet.ageAll(of: salem, days: 30)
            try await wallet.topUp(25_000, salem, with: Self.otherCard)
            try await wallet.dispute(first, "closed", "won")
            let mine = try await wallet.wallet(of: salem)
            #expect(mine["balance"]?.integer == 25_000 && mine["availableForCashOut"]?.integer == 0, "\(mine)")
        }
    }

    @Test("W5: of a top-up that was given back in the dashboard only the rest goes back; nothing of a lost one")
    func elsewhere() async throws {
        try await WalletFixture.run { wallet in
            let (salem, admin) = (try await wallet.people.customer(), try await wallet.admin())
            let first = try await wallet.topUp(30_000, salem)
            let intent = try #require(first.reference)
            for part in [10_000, 20_000] {
                #expect(wallet.sandbox.refundOutside(intent, amount: 10_000))
                try await wallet.givenBack(first, part)
            }
            let unfreeze = "markets/assef/wallets/\(salem.account.text)/unfreezing"
            let body = #"{"reason": "Seen."}"#
            #expect(try await wallet.post(unfreeze, admin, body).status == 200)
            try await wallet.topUp(30_000, salem, with: Self.otherCard)
            let back = try await Self.giveBack(wallet, first, salem)
            #expect(back.status == 202 && back.json["returned"]?["amount"]?.integer == 10_000, "\(back.text)")
            try await eventually("the card has all of it") { wallet.books.refunded == 30_000 }
            #expect(try await wallet.balance(salem) == 30_000)
            #expect(try await Self.giveBack(wallet, first, salem).slug == "top-up-not-returnable")

            let huda = try await wallet.people.customer("Huda")
            let lost = try await wallet.topUp(30_000, huda)
            try await wallet.dispute(lost, "closed", "lost", id: "dp_lost")
            #expect(
                try await wallet.post("markets/assef/wallets/\(huda.account.text)/unfreezing", admin, body).status
                    == 200)
            try await wallet.topUp(30_000, huda, with: Self.otherCard)
            #expect(try await Self.giveBack(wallet, lost, huda).slug == "top-up-not-returnable")
            #expect(try await wallet.balance(huda) == 30_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: what the payment provider refuses to give back for good is in the wallet again, told and logged, once")
    func refusedForGood() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            var topUps: [SeraiWallet.Charge] = []
            try await wallet.working {
                for _ in 0..<2 { topUps.append(try await wallet.topUp(12_000, salem)) }
            }
            // One is given back there, of the other the bank has taken it, and nobody has told yet.
            #expect(wallet.sandbox.refundOutside(try #require(topUps[0].reference), amount: 1_000))
            let dispute = wallet.sandbox.dispute(try #require(topUps[1].reference))
            #expect(dispute != nil)
            for charge in topUps { #expect(try await Self.giveBack(wallet, charge, salem).status == 202) }
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.working {
                try await eventually("it is back") { try await wallet.balance(salem) == 24_000 }
            }
            let text = wallet.logs.text
            let words = "error the payment provider gives nothing back: the money is in the wallet"
            #expect(text.contains(words) && text.contains("amount_too_large") && text.contains("charge_disputed"))
            let refunds = try await wallet.pool.query(ReturnCharges(account: salem.account))
            #expect(refunds.count == 2)
            for refund in refunds { #expect(try await wallet.told(about: refund) == ["returned"]) }
            #expect(try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 1)).isEmpty)
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
            // What is told by then is taken as always.
            try await wallet.dispute(topUps[1], "created", "needs_response", id: dispute ?? "")
            try await wallet.givenBack(topUps[0], 1_000)
            #expect(try await wallet.balance(salem) == 11_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: what the card does not take any more is in the wallet again")
    func closedCard() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let charge = try await wallet.topUp(12_000, salem, with: "4000000000005134")
            #expect(try await Self.giveBack(wallet, charge, salem).status == 202)
            try await eventually("it is back") { try await wallet.balance(salem) == 12_000 }
            #expect(try await wallet.cashOut(1, salem).slug == "cash-out-held")
            try await wallet.expectSound()
        }
    }
}

/// The charges by which an account's top-ups go back.
private struct ReturnCharges: Statement {
    static let sql: SQL = """
        SELECT charges.id FROM charges JOIN top_ups ON top_ups.id = charges.subject
        WHERE charges.purpose = 'refund' AND top_ups.account = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// As if a transfer had been made so many days before: what the ledger itself never does.
extension WalletFixture {
    fileprivate func age(topUp: UUID, days: Int) async throws {
        try await pool.execute(AllowChange())
        try await pool.execute(AgeTransfers(account: nil, subject: topUp, days: days))
        try await pool.execute(AgeCharges(topUp: topUp, account: nil, days: days))
        try await pool.execute(AgeTopUps(topUp: topUp, account: nil, days: days))
    }

    fileprivate func ageAll(of person: Person, days: Int) async throws {
        try await pool.execute(AllowChange())
        try await pool.execute(AgeTransfers(account: person.account, subject: nil, days: days))
        try await pool.execute(AgeCharges(topUp: nil, account: person.account, days: days))
        try await pool.execute(AgeTopUps(topUp: nil, account: person.account, days: days))
    }
}

private struct AllowChange: Statement {
    static let sql: SQL = "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only"
}

private struct AgeTransfers: Statement {
    static let sql: SQL = """
        UPDATE transfers SET at = at - $3 * interval '1 day'
        WHERE subject = $2 OR id IN (
            SELECT entries.transfer FROM entries JOIN accounts ON accounts.id = entries.account WHERE accounts.owner = $1)
        """
    let account: UUID?
    let subject: UUID?
    let days: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, subject, days) }
}

private struct AgeCharges: Statement {
    static let sql: SQL = """
        UPDATE charges SET made_at = made_at - $3 * interval '1 day'
        WHERE subject = $1 OR subject IN (SELECT id FROM top_ups WHERE account = $2)
        """
    let topUp: UUID?
    let account: UUID?
    let days: Int
    func bind(_ bindings: inout Bindings) { bindings.append(topUp, account, days) }
}

private struct AgeTopUps: Statement {
    static let sql: SQL =
        "UPDATE top_ups SET made_at = made_at - $3 * interval '1 day' WHERE id = $1 OR account = $2"
    let topUp: UUID?
    let account: UUID?
    let days: Int
    func bind(_ bindings: inout Bindings) { bindings.append(topUp, account, days) }
}
