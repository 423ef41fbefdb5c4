import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("People who leave", .timeLimit(.minutes(15)))
struct LeavingTests {
    private func ask(_ wallet: WalletFixture, _ person: Person, version: Int = 5) async throws {
        let asked = DeletionAsked(deletion: .timeOrdered(), account: person.account, version: version, at: Date())
        try await wallet.pool.withTransaction { try await WalletDeletionHandlers.answer(asked, at: Date(), $0) }
    }

    private func answers(_ wallet: WalletFixture, _ person: Person) async throws -> [[DeletionObstacle]] {
        try await wallet.pool.query(AnswersOf(account: person.account.text)).map {
            try JSON.wire.decode(WalletAnsweredDeletion.self, $0.utf8).all
        }
    }

    @Test("I12: a balance, money that is held and money that is owed are named, of both parties")
    func open() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            try await ask(wallet, noura)
            #expect(try await answers(wallet, noura) == [[]])
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await ask(wallet, salem)
            try await ask(wallet, noura, version: 6)
            #expect(try await answers(wallet, salem) == [[.heldMoney]])
            #expect(try await answers(wallet, noura).last == [.heldMoney])
            let cash = try await wallet.people.provider()
            let paid = try await wallet.accepted(try await wallet.people.customer(), cash, amount: 1_000)
            try await wallet.hear(paid.now(.accepted, version: 3))
            try await wallet.give(1, to: cash)
            try await ask(wallet, cash)
            #expect(try await answers(wallet, cash) == [[.balance]])
        }
    }

    @Test("I12: the wallet says how much a person owes who wants to leave")
    func owed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_250))
            try await ask(wallet, salem)
            let texts = try await wallet.pool.query(AnswersOf(account: salem.account.text))
            let told = try texts.map { try JSON.wire.decode(WalletAnsweredDeletion.self, $0.utf8) }
            #expect(told.map(\.all) == [[.unpaid]])
            #expect(told.map(\.owed) == [[Money(amount: 1_250, currency: "SAR")]])
        }
    }

    @Test("I12: a cash-out keeps an account; nothing is taken out while it leaves; bank accounts and names go with it")
    func cashOut() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            let id = try #require(try await wallet.cashOut(5_000, noura).json["cashOut"]?.string)
            try await ask(wallet, noura)
            #expect(try await answers(wallet, noura) == [[.heldMoney]])
            #expect(try await wallet.cashOut(100, noura).slug == "account-leaving")
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .paid)
            let deleted = AccountDeleted(account: noura.account, version: 6, at: Date())
            try await wallet.pool.withTransaction { try await WalletDeletionHandlers.forget(deleted, $0) }
            let left = try await wallet.get("markets/assef/cash-outs/\(id)", admin)
            #expect(!left.text.contains("NOURA") && !left.text.contains("Rajhi"), "\(left.text)")
            try await wallet.expectSound()
        }
    }

    @Test("W5, I12: the smallest balance can be taken out, and then keeps nobody from leaving")
    func smallestBalance() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(1, to: noura)
            try await ask(wallet, noura)
            #expect(try await answers(wallet, noura) == [[.balance]])
            try await wallet.pool.withTransaction {
                try await AccountDeletionGuard.end(noura.account, version: 5, in: $0)
            }
            let asked = try await wallet.cashOut(1, noura)
            let id = try #require(asked.json["cashOut"]?.string, "\(asked.text)")
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .paid)
            try await ask(wallet, noura, version: 6)
            #expect(try await answers(wallet, noura).last == [])
            try await wallet.expectSound()
        }
    }

    @Test(
        "I12, W7: a payout that comes back after its account is gone is no line of a statement, and verify names the wallet"
    )
    func payoutComesBack() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            let id = try #require(try await wallet.cashOut(5_000, noura).json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .paid)
            try await ask(wallet, noura)
            let deleted = AccountDeleted(account: noura.account, version: 6, at: Date())
            try await wallet.pool.withTransaction { try await WalletDeletionHandlers.forget(deleted, $0) }
            #expect(try await StuckCheck.over(.seconds(3_600), wallet.pool).items.isEmpty)
            let cashOut = try #require(UUID(uuidString: id))
            let reference = try #require(try await wallet.pool.first(FindCashOut(cashOut: cashOut))?.reference)
            let event = """
                {"id": "evt_1", "type": "payout.failed", "data": {"object": {"id": "\(reference)", "status": "failed",
                 "amount": 5000, "currency": "sar", "failure_code": "account_closed", "metadata": {"cashOut": "\(id)"}}}}
                """
            #expect(try await wallet.webhook(event).status == 200)
            #expect(try await wallet.balance(noura) == 5_000)
            #expect(try await wallet.get("statement", noura).items.isEmpty)
            let stuck = try await StuckCheck.over(.seconds(3_600), wallet.pool)
            #expect(stuck.items.map(\.subject) == [noura.account], "\(stuck.report)")
            #expect(stuck.report.contains("deleted account") && stuck.report.contains("5000 SAR"), "\(stuck.report)")
            try await wallet.expectSound()
        }
    }

    @Test("I12: a merchant who is gone has no name in the customers' lines of refunds either")
    func merchant() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (shop, admin) = (try await wallet.people.provider("Shop of Huda"), try await wallet.admin())
            try await wallet.give(12_000, to: salem)
            let order = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                $0.shares = [.init(party: .merchant, account: shop.account, name: shop.name, amount: 10_000)]
            }
            try await wallet.hear(order)
            try await wallet.pay(order, salem, held: "wallet")
            try await wallet.hear(order.now(.completed))
            let paidBack = try await wallet.refund(
                order, admin, 1_000, fundedBy: "merchant", more: #", "funder": "\#(shop.account.text)""#)
            #expect(paidBack.status == 201, "\(paidBack.text)")
            #expect(try await wallet.get("statement", salem).text.contains(shop.name))
            try await wallet.pool.withTransaction {
                try await WalletDeletionHandlers.forget(
                    AccountDeleted(account: shop.account, version: 6, at: Date()), $0)
            }
            let lines = try await wallet.get("statement", salem)
            #expect(!lines.text.contains(shop.name) && lines.text.contains(AccountSnapshot.goneName), "\(lines.text)")
            #expect(!(try await wallet.get("statement", noura)).text.contains(shop.name))
        }
    }

    @Test("I12: while a deletion is under way nothing is paid, put in or stored; after its refusal it is")
    func blocked() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            let order = try await wallet.accepted(salem, noura)
            try await ask(wallet, salem)
            #expect(try await answers(wallet, salem) == [[]])
            #expect(try await wallet.payByCard(order, salem, card).slug == "account-leaving")
            let topUp = #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            #expect(try await wallet.post("topups", salem, topUp).slug == "account-leaving")
            try await wallet.pool.withTransaction {
                try await AccountDeletionGuard.end(salem.account, version: 5, in: $0)
            }
            #expect(try await wallet.payByCard(order, salem, card).status == 202)
        }
    }

    @Test("I12: of a payment and a deletion at once, either the deletion names the money or none moved, 100 times")
    func race() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            for round in 0..<100 {
                let salem = try await wallet.people.customer()
                try await wallet.give(1_000, to: salem)
                let order = try await wallet.accepted(salem, noura, amount: 1_000)
                async let asked: Void = ask(wallet, salem)
                let answer = try await wallet.pay(order, salem, by: "wallet")
                try await asked
                let named = try await answers(wallet, salem)
                if answer.status == 202 {
                    // Before the payment it was a balance; it cannot have been nothing.
                    #expect(named == [[.heldMoney]], "round \(round)")
                } else {
                    #expect(answer.slug == "account-leaving" && named == [[.balance]], "round \(round)")
                }
            }
            try await wallet.expectSound()
        }
    }

    @Test("I12, W7: of somebody who is gone cards and names go, and the ledger stays")
    func forgotten() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.card(salem)
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.completed, version: 4))
            try await ask(wallet, salem)
            #expect(try await answers(wallet, salem) == [[]])
            try await wallet.pool.withTransaction {
                try await WalletDeletionHandlers.forget(
                    AccountDeleted(account: salem.account, version: 6, at: Date()), $0)
            }
            #expect(try await wallet.get("cards", salem).items.isEmpty)
            #expect(try await wallet.get("statement", salem).items.isEmpty)
            let lines = try await wallet.get("statement", noura)
            #expect(lines.items.count == 1 && !lines.text.contains(order.customer.name), "\(lines.text)")
            #expect(lines.text.contains(AccountSnapshot.goneName))
            try await wallet.expectSound()
        }
    }
}

private struct AnswersOf: Statement {
    static let sql: SQL = """
        SELECT payload FROM outbox WHERE name = 'wallet.deletion.answered.v1' AND aggregate = $1 ORDER BY seq
        """
    let account: String
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
