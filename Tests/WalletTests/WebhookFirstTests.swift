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

@Suite("Webhooks that come before the answer that they are about", .timeLimit(.minutes(15)))
struct WebhookFirstTests {
    /// What is asked of the payment provider.
    enum Step: String, Sendable, CaseIterable {
        case authorise, capture, topUp, subscription

        var request: SeraiWallet.Charge.Request {
            switch self {
            case .authorise: .authorise
            case .capture: .capture
            case .topUp, .subscription: .take
            }
        }

        /// Type and status of the payment intent's event.
        var event: (type: String, status: String) {
            self == .authorise ? ("amount_capturable_updated", "requires_capture") : ("succeeded", "succeeded")
        }
    }

    @Test(
        "W4, W6: a hold, a capture, a top-up and a subscription are made once, the webhook first and the answer after it",
        arguments: Step.allCases)
    func charges(step: Step) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let subject = try await Self.begin(step, wallet, order, salem, noura)
            let claimed = try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 600))
            #expect(claimed.count == 1)
            let asked = try #require(claimed.first)
            let request = try #require(asked.nextRequest)
            #expect(request == step.request)
            guard case .known(let outcome, let reference?) = await wallet.parts.provider.ask(request, asked) else {
                Issue.record("not answered")
                return
            }
            for id in ["a", "a", "b"] {
                let event = WalletFixture.event(
                    step.event.type, status: step.event.status, charge: asked.id, reference: reference,
                    amount: asked.amount, id: id)
                #expect(try await wallet.webhook(event).status == 200)
            }
            try await Self.expectDone(step, wallet, subject, salem, noura)
            let effects = try await wallet.pool.first(CountEffects())
            for _ in 0..<2 {
                try await wallet.pool.withTransaction { transaction in
                    try await RecordCharge.record(
                        outcome, reference: reference, of: asked, at: Date(), in: transaction)
                }
            }
            try await Self.expectDone(step, wallet, subject, salem, noura)
            #expect(try await wallet.pool.first(CountEffects()) == effects)
            // Nor has a worker anything more to ask.
            #expect(try await wallet.pool.query(ClaimCharges(limit: 5, leaseSeconds: 600)).isEmpty)
            #expect(wallet.books.payments == 1)
            try await wallet.expectSound()
        }
    }

    @Test("W5, W6: a payout is paid once, the webhook first and the answer after it")
    func payout() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            let text = try #require(try await wallet.cashOut(5_000, noura).json["cashOut"]?.string)
            let id = try #require(UUID(uuidString: text))
            #expect(try await wallet.decide(text, admin, accept: true).status == 200)
            let asked = try #require(
                try await wallet.pool.query(ClaimCashOuts(limit: 5, leaseSeconds: 600)).first)
            guard case .known(let outcome) = await wallet.parts.provider.ask(.pay, asked),
                case .pending(let reference) = outcome
            else {
                Issue.record("not answered")
                return
            }
            for event in ["a", "a", "b"] {
                let body = """
                    {"id": "evt_\(event)", "type": "payout.paid", "data": {"object": {"id": "\(reference)",
                     "status": "paid", "amount": 5000, "currency": "sar", "metadata": {"cashOut": "\(text)"}}}}
                    """
                #expect(try await wallet.webhook(body).status == 200)
            }
            let effects = try await wallet.pool.first(CountEffects())
            for late in [outcome, outcome, .paid(reference: reference)] {
                try await wallet.pool.withTransaction { transaction in
                    try await SettleCashOut.record(late, of: id, at: Date(), in: transaction)
                }
            }
            #expect(try await wallet.pool.first(CountEffects()) == effects)
            #expect(try await wallet.told(about: id) == ["asked", "decided", "paid"])
            #expect(try await wallet.pool.first(FindCashOut(cashOut: id))?.state == .paid)
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.sum(.cashOut) == 0)
            #expect(try await wallet.sum(.external) == 0)
            #expect(try await wallet.parts.payoutWorker.payDue() == 0)
            try await wallet.expectSound()
        }
    }

    /// Lets a charge become due.
    ///
    /// - Returns: what events tell of: the order, the top-up or the subscription.
    private static func begin(
        _ step: Step, _ wallet: WalletFixture, _ order: OrderSnapshot, _ salem: Person, _ noura: Person
    ) async throws -> UUID {
        switch step {
        case .authorise, .capture:
            #expect(try await wallet.payByCard(order, salem, try await wallet.card(salem)).status == 202)
            guard step == .capture else { return order.order }
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.state(of: order) == .capturing)
            return order.order
        case .topUp:
            let card = try await wallet.card(salem)
            let asked = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            return try #require(asked.json["topUp"]?.string.flatMap(UUID.init(uuidString:)), "\(asked.text)")
        case .subscription:
            let plan = try await wallet.plan(try await wallet.admin())
            let card = try await wallet.card(noura)
            let asked = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(asked.status == 202, "\(asked.text)")
            return try await wallet.subscription(of: noura).id
        }
    }

    /// It has happened, once.
    private static func expectDone(
        _ step: Step, _ wallet: WalletFixture, _ subject: UUID, _ salem: Person, _ noura: Person
    ) async throws {
        let told = try await wallet.told(about: subject)
        switch step {
        case .authorise:
            #expect(told == ["held"])
            #expect(try await wallet.sum(.escrow) == 12_000)
        case .capture:
            #expect(told == ["held", "captured"])
            #expect(try await wallet.sum(.escrow) == 0)
            #expect(try await wallet.balance(noura) == 10_200)
        case .topUp:
            #expect(told == ["completed"])
            #expect(try await wallet.balance(salem) == 5_000)
        case .subscription:
            #expect(told == ["started"])
            #expect(try await wallet.sum(.platform) == 9_900)
        }
    }
}

/// What has been posted, and what has been told.
private struct CountEffects: Statement {
    static let sql: SQL = "SELECT (SELECT count(*) FROM transfers) + (SELECT count(*) FROM outbox)"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
