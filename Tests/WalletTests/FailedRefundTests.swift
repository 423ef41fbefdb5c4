import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Refunds that do not arrive", .timeLimit(.minutes(15)))
struct FailedRefundTests {
    /// Of the first a refund is pending and fails later, of the second it fails at once.
    private static let cards = ["4000000000005126", "4000000000005134"]

    @Test("W6: a payment that its card does not take back is in its customer's wallet, once", arguments: cards)
    func whole(card: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.releasing(wallet, card)
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(wallet.books.captured == 12_000 && wallet.books.refunded == 0)
            #expect(try await wallet.balance(salem) == (card == Self.cards[0] ? 0 : 12_000))
            try await wallet.expectSound()
            try await Self.tell(wallet, of: charge)
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(try await wallet.sum(.external) == -12_000)
            #expect(try await wallet.lines(salem) == ["payment -12000 rejected", "refund 12000 accepted"])
            let line = try #require(try await wallet.get("statement?kind=refund", salem).items.first)
            #expect(line["method"]?.string == "wallet", "\(line)")
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            #expect(try await wallet.told(about: charge.id) == ["returned"])
            #expect(try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 1)).isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("W8: a part that an admin gives back, and the card does not take, is in the wallet, once", arguments: cards)
    func part(card: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, card))
            try await wallet.eventually(order, is: .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.refund(order, admin, 5_000, to: "card", fundedBy: "provider").status == 201)
            try await TestKit.eventually("it is asked for") {
                try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
            }
            try await wallet.expectSound()
            let id = try #require(try await wallet.pool.first(FindChargeOfRefund(order: order.order)))
            try await Self.tell(wallet, of: try #require(try await wallet.pool.first(FindCharge(charge: id))))
            #expect(wallet.books.refunded == 0)
            #expect(try await wallet.balance(salem) == 5_000)
            #expect(try await wallet.balance(noura) == 5_200)
            let lines = try await wallet.get("statement?kind=refund", salem).items
            #expect(lines.map { $0["amount"]?.integer } == [5_000])
            #expect(lines.map { $0["method"]?.string } == ["wallet"])
            #expect(lines.map { $0["state"]?.string } == ["accepted"])
            #expect(try await wallet.sum(.refund) == 0)
            try await wallet.expectSound()
            // What somebody gives back there now is not what was asked for then.
            let charge = try await wallet.charge(of: order)
            let own = WalletFixture.refund(of: charge.id, reference: try #require(charge.reference), isWhole: false)
            #expect(try await wallet.webhook(own).status == 200)
            #expect(try await wallet.balance(salem) == 5_000, "the wallet keeps what the card did not take")
            try await wallet.expectSound()
        }
    }

    @Test(
        "W6: a refund that fails is in the wallet in every currency that the payment provider counts otherwise",
        arguments: ["ISK", "UGX", "MGA", "JPY", "KWD"])
    func otherUnits(currency: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.setCurrency(currency)
            let order = try await wallet.accepted(salem, noura, amount: 12_000, currency: currency)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, Self.cards[0]))
            try await wallet.eventually(order, is: .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.refund(order, admin, 5_000, to: "card").status == 201)
            try await TestKit.eventually("it is asked for") {
                try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
            }
            let id = try #require(try await wallet.pool.first(FindChargeOfRefund(order: order.order)))
            let charge = try #require(try await wallet.pool.first(FindCharge(charge: id)))
            let counted = PaymentProvider.counted(5_000, currency)
            // Another amount than was asked back gives nothing, and is in the log.
            for (amount, balance) in [(counted + 100, 0), (counted, 5_000)] {
                let event = WalletFixture.failedRefund(
                    of: charge.id, reference: charge.reference ?? "", amount: amount, currency: currency)
                #expect(try await wallet.webhook(event).status == 200)
                #expect(try await wallet.balance(salem, currency: currency) == balance)
                #expect(wallet.logs.text.contains("otherRefund"))
            }
            try await wallet.expectSound()
        }
    }

    @Test("W6: the webhook may come before the answer that it is about, which then changes nothing")
    func webhookFirst() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.releasing(wallet, Self.cards[0])
            let asked = try #require(try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 600)).first)
            guard case .known(.refunded, _) = await wallet.parts.provider.ask(.refund, asked) else {
                Issue.record("not asked for")
                return
            }
            try await Self.tell(wallet, of: charge)
            try await wallet.pool.withTransaction { transaction in
                try await RecordCharge.record(
                    .refunded, reference: nil, of: charge, at: Date(), in: transaction)
            }
            #expect(try await wallet.state(of: order) == .released)
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(try await wallet.lines(salem) == ["payment -12000 rejected", "refund 12000 accepted"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W6: a refund that failed while its answer was lost is found, and not asked for under another key",
        arguments: [0, 1])
    func lost(keyNumber: Int) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.releasing(wallet, Self.cards[1])
            let asked = try #require(try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 0)).first)
            _ = await wallet.parts.provider.ask(.refund, asked)
            try await wallet.pool.execute(TakeKey(charge: charge.id, number: keyNumber))
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(wallet.sandbox.refundCount == 1)
            try await Self.tell(wallet, of: charge)
            #expect(wallet.books.refunded == 0)
            #expect(try await wallet.balance(salem) == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W6: what is said of other refunds, or of what nobody has asked back, gives nobody anything")
    func foreign() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.captured(salem, noura, by: "card")
            let charge = try await wallet.charge(of: order)
            let reference = try #require(charge.reference)
            for body in [
                WalletFixture.failedRefund(of: charge.id, reference: reference, amount: 12_000),
                WalletFixture.failedRefund(of: charge.id, reference: reference, amount: 5),
                WalletFixture.failedRefund(of: charge.id, reference: "pi_other", amount: 12_000),
                WalletFixture.failedRefund(of: .timeOrdered(), reference: reference, amount: 12_000),
                WalletFixture.failedRefund(of: charge.id, reference: reference, amount: 12_000, status: "succeeded"),
                #"{"id": "evt_1", "type": "refund.failed", "data": {"object": {"status": "failed"}}}"#,
                #"{"id": "evt_2", "type": "refund.failed", "data": {}}"#,
            ] {
                #expect(try await wallet.webhook(body).status == 200, "\(body)")
            }
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.state(of: order) == .captured)
            try await wallet.expectSound()
        }
    }

    @Test("I12, W7: of an account that is gone by then nothing is said, and its wallet keeps the money")
    func gone() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.releasing(wallet, Self.cards[0])
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            let deleted = AccountDeleted(account: salem.account, version: 9, at: Date())
            try await wallet.pool.withTransaction { try await WalletDeletionHandlers.forget(deleted, $0) }
            try await Self.tell(wallet, of: charge)
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(try await wallet.get("statement", salem).items.isEmpty)
            try await wallet.expectSound()
        }
    }

    /// An order whose card was charged, and that has ended: the payment provider is about to be asked for a refund.
    private static func releasing(
        _ wallet: WalletFixture, _ number: String
    ) async throws -> (Person, OrderSnapshot, SeraiWallet.Charge) {
        let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
        let order = try await wallet.accepted(salem, noura)
        _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, number))
        try await wallet.working { try await wallet.eventually(order, is: .held) }
        let charge = try await wallet.charge(of: order)
        try await wallet.outside("capture", charge)
        let captured = WalletFixture.event(
            "succeeded", status: "succeeded", charge: charge.id, reference: charge.reference ?? "", amount: 12_000)
        #expect(try await wallet.webhook(captured).status == 200)
        try await wallet.hear(order.now(.cancelled))
        #expect(try await wallet.state(of: order) == .releasing)
        return (salem, order, charge)
    }

    /// The payment provider tells it twice, and once more under another id.
    private static func tell(_ wallet: WalletFixture, of charge: SeraiWallet.Charge) async throws {
        for id in ["a", "a", "b"] {
            let event = WalletFixture.failedRefund(
                of: charge.id, reference: charge.reference ?? "", amount: charge.amount, id: id)
            #expect(try await wallet.webhook(event).status == 200)
        }
    }
}

/// As after faults under the keys before. It is due at once.
private struct TakeKey: Statement {
    static let sql: SQL = "UPDATE charges SET key_number = $2, due_at = now() WHERE id = $1"
    let charge: UUID
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(charge, number) }
}

private struct FindChargeOfRefund: Statement {
    static let sql: SQL =
        "SELECT id FROM charges WHERE subject IN (SELECT id FROM refunds WHERE order_id = $1)"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
