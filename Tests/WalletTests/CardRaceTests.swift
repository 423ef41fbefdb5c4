import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Cards that are removed while they are used", .timeLimit(.minutes(15)))
struct CardRaceTests {
    @Test(
        "W3: a card that is removed after its CVV was taken is not charged: no payment, top-up or subscription begins")
    func removedBefore() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let id = try await wallet.card(salem)
            let cardID = try #require(UUID(uuidString: id))
            let card = try #require(try await wallet.pool.first(FindCard(card: cardID, account: salem.account)))
            let instrument = Instrument(card, cvvReference: "cvctok_1")
            #expect(try await wallet.call(.delete, "cards/\(id)?confirm=true", salem, nil).status == 204)
            let planID = try #require(UUID(uuidString: try await wallet.plan(try await wallet.admin())))
            let plan = SubscriptionPlan(
                id: planID, market: "assef",
                currency: "SAR", period: .monthly, name: ["en": "Monthly"], brief: ["en": "Brief"], price: 9_900)
            let attempts: [@Sendable (PostgresTransaction) async throws -> Void] = [
                {
                    _ = try await PayOrder.pay(
                        order: order.order, customer: salem.account, by: .card, with: instrument,
                        lifetime: .seconds(600), at: Date(), in: $0)
                },
                {
                    _ = try await BeginTopUp.begin(
                        amount: 5_000, currency: "SAR", market: "assef", account: salem.account, with: instrument,
                        at: Date(), in: $0)
                },
                {
                    _ = try await PaySubscription.subscribe(
                        salem.account, to: plan, for: 9_900, by: .card(card.id, instrument), renews: false, at: Date(),
                        in: $0)
                },
            ]
            for attempt in attempts {
                await #expect(throws: Problem.self) { try await wallet.pool.withTransaction { try await attempt($0) } }
            }
            #expect(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 1)).isEmpty)
            #expect(try await wallet.state(of: order) == .due)
        }
    }

    @Test("W3: who removes a card waits for the charge that begins with it, and the card for the charge's end")
    func removedMeanwhile() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let id = try await wallet.card(salem, "4000002760003184")
            let card = try #require(UUID(uuidString: id))
            let found = try #require(try await wallet.pool.first(FindCard(card: card, account: salem.account)))
            let removal = try await wallet.pool.withTransaction { transaction in
                _ = try await BeginTopUp.begin(
                    amount: 5_000, currency: "SAR", market: "assef", account: salem.account,
                    with: Instrument(found, cvvReference: "cvctok_1"), at: Date(), in: transaction)
                let removal = Task { try await wallet.call(.delete, "cards/\(id)?confirm=true", salem, nil).status }
                try await TestKit.eventually("the removal waits") {
                    try await wallet.pool.first(CountLockWaits()) ?? 0 > 0
                }
                return removal
            }
            #expect(try await removal.value == 204)
            let worker = wallet.parts.removalWorker
            #expect(try await worker.removeSome() == 0)
            // While its owner is asked the charge needs it still.
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 1, leaseSeconds: 600)).first)
            for outcome in [SeraiWallet.Charge.Outcome.actionRequired(url: "https://bank.example/1"), .captured] {
                #expect(try await worker.removeSome() == 0)
                try await wallet.pool.withTransaction { transaction in
                    try await RecordCharge.record(
                        outcome, reference: "pi_1", of: charge, at: Date(), in: transaction)
                }
            }
            #expect(try await worker.removeSome() == 1)
            #expect(wallet.sandbox.attachedCount == 0)
        }
    }

    @Test("W3: a card that recurring orders may charge is not removed while one begins to")
    func consented() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let id = try await wallet.card(salem)
            #expect(try await wallet.call(.patch, "cards/\(id)", salem, #"{"consent": true}"#).status == 200)
            let removal = try await wallet.pool.withTransaction { transaction in
                let month = CardExpiry.monthNumber(at: Date())
                let card = try await transaction.first(FindConsentedCard(account: salem.account, month: month))
                #expect(card?.id.text == id)
                let removal = Task { try await wallet.call(.delete, "cards/\(id)?confirm=true", salem, nil).status }
                try await TestKit.eventually("the removal waits") {
                    try await wallet.pool.first(CountLockWaits()) ?? 0 > 0
                }
                return removal
            }
            #expect(try await removal.value == 204)
        }
    }
}
