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

@Suite("Payments that are captured before their order ends", .timeLimit(.minutes(15)))
struct EarlyCaptureTests {
    /// Captured at 1.7 s.
    private static let lifetime: Duration = .seconds(2)

    @Test("W2: a card is captured before its authorisation lapses, and the order goes on with the price in escrow")
    func completed() async throws {
        try await WalletFixture.run(lifetime: Self.lifetime) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await TestKit.eventually("it is captured", value: { wallet.books.captured }) { $0 == 12_000 }
            try await TestKit.eventually("that is known") { try await wallet.charge(of: order).state == .captured }
            #expect(try await wallet.state(of: order) == .held)
            #expect(try await wallet.told(about: order.order) == ["held"])
            #expect(try await wallet.get("wallets", salem).items.first?["held"]?.integer == 12_000)
            try await wallet.expectSound()
            // Nobody has to be asked any more.
            wallet.setProviderDown(true)
            for _ in 0..<2 { try await wallet.hear(order.now(.completed)) }
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test("W2, W6: what was captured early for an order that is cancelled goes back to the card")
    func cancelled() async throws {
        try await WalletFixture.run(lifetime: Self.lifetime) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await TestKit.eventually("it is captured") { try await wallet.charge(of: order).state == .captured }
            for _ in 0..<2 { try await wallet.hear(order.now(.cancelled)) }
            try await wallet.eventually(order, is: .released)
            #expect(wallet.books.refunded == 12_000 && wallet.books.captured == 12_000)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            let line = try await wallet.get("statement", salem).items.first
            #expect(line?["state"]?.string == "rejected" && line?["reason"]?.string == "order-cancelled")
            try await wallet.expectSound()
        }
    }

    @Test("W2: an authorisation that has lapsed when it is to be captured is lost, and that is told")
    func lapsed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.outside("cancel", try await wallet.charge(of: order))
            #expect(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 1)).isEmpty)
            try await wallet.checkNow()
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["refusal"]?.string == "authorisation-lost", "\(view.text)")
            // Dispatch cancels the order for it; there is nothing to release, and the reason stays.
            try await wallet.hear(order.now(.cancelled))
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            #expect(
                try await wallet.get("statement", salem).items.map { $0["reason"]?.string } == ["authorisation-lost"])
            let late = try await wallet.pay(order, salem, by: "cash")
            #expect(late.status == 409 && late.slug == "order-state" && late.json["state"]?.string == "cancelled")
            try await wallet.expectSound()
        }
    }

    @Test("W2: an order that ends while its card is being captured early is refunded or let go, 60 times")
    func race() async throws {
        try await WalletFixture.run(workers: 2) { wallet in
            let noura = try await wallet.people.provider()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<60 {
                    tasks.addTask {
                        let salem = try await wallet.people.customer()
                        let card = try await wallet.card(salem)
                        let order = try await wallet.accepted(salem, noura, amount: 1_000)
                        _ = try await wallet.payByCard(order, salem, card)
                        try await wallet.eventually(order, is: .held)
                        try await wallet.pool.execute(EndWait(charge: try await wallet.charge(of: order).id))
                        try await Task.sleep(for: .milliseconds(Int.random(in: 0...30)))
                        try await wallet.hear(order.now(.cancelled))
                        try await wallet.eventually(order, is: .released)
                        #expect(try await wallet.told(about: order.order) == ["held", "released"])
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(wallet.books.held == 0 && wallet.books.captured == wallet.books.refunded)
            try await wallet.expectSound()
        }
    }

    @Test("W6: a worker killed after the refund was asked for leaves it to another, which gives nothing back twice")
    func killed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.checkNow()
            try await wallet.working {
                try await TestKit.eventually("it is captured") { try await wallet.charge(of: order).state == .captured }
            }
            try await wallet.hear(order.now(.expired))
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            _ = await wallet.parts.provider.ask(.refund, charge)
            #expect(wallet.books.refunded == 12_000)
            #expect(try await wallet.state(of: order) == .releasing)
            try await wallet.expectSound()
            try await wallet.checkNow()
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(wallet.books.refunded == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("authorisations that waited before the program knew of early captures are captured too")
    func migrated() async throws {
        let before = WalletService.migrations.filter { $0.component != "wallet" || $0.version < 5 }
        try await TestDatabase.withDatabase(before) { database in
            try await database.withPool { pool in
                for (state, goal) in [("authorised", "authorise"), ("captured", "cancel"), ("captured", "capture")] {
                    try await pool.execute(InsertOldCharge(state: state, goal: goal))
                }
                try await Migrator(pool, WalletService.migrations, logger: TestThreads.logger).migrate()
                let due = try await pool.query(ClaimCharges(limit: 10, leaseSeconds: 1))
                #expect(Set(due.map(\.nextRequest)) == [.none, .refund])
                #expect(due.count == 2 && due.contains { $0.isWaiting })
            }
        }
    }
}

private struct EndWait: Statement {
    static let sql: SQL = "UPDATE charges SET due_at = now() WHERE id = $1"
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
}

private struct InsertOldCharge: Statement {
    static let sql: SQL = """
        INSERT INTO charges (id, purpose, subject, amount, currency, card, state, goal, reference, made_at)
        VALUES ($1, 'payment', $1, 5, 'SAR', 'pm_1', $2, $3, 'pi_1', now() - interval '6 days 1 hour')
        """
    let state: String
    let goal: String
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.timeOrdered(), state, goal) }
}
