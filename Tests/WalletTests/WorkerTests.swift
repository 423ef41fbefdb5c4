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

@Suite("The payment worker", .timeLimit(.minutes(15)))
struct WorkerTests {
    @Test(
        "W6: a worker killed after the payment provider was asked leaves the charge to another, which charges nothing more"
    )
    func killedAfterAsking() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let claimed = try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600))
            let charge = try #require(claimed.first)
            // Nobody else takes it while the lease lasts.
            #expect(claimed.count == 1)
            #expect(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).isEmpty)
            _ = await wallet.parts.provider.ask(.authorise, charge)
            #expect(wallet.books.payments == 1)
            #expect(try await wallet.state(of: order) == .authorising)
            try await wallet.checkNow()
            try await wallet.working {
                try await wallet.eventually(order, is: .held)
                // The same at the capture.
                try await wallet.hear(order.now(.completed))
                try await wallet.eventually(order, is: .captured)
            }
            #expect(wallet.books.payments == 1 && wallet.books.captured == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W6: a worker killed after the capture was asked for leaves it to another, and the money is divided once")
    func killedAfterCapturing() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.hear(order.now(.completed))
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            _ = await wallet.parts.provider.ask(.capture, charge)
            #expect(wallet.books.captured == 12_000)
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.checkNow()
            try await wallet.working { try await wallet.eventually(order, is: .captured) }
            #expect(wallet.books.captured == 12_000)
            #expect(try await wallet.balance(noura) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an order that ends before its card was asked for is never asked for")
    func neverAsked() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.hear(order.now(.cancelled, version: 3))
            #expect(try await wallet.state(of: order) == .closed)
            #expect(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 1)).isEmpty)
            #expect(wallet.books.payments == 0)
            let line = try await wallet.get("statement", salem).items.first
            #expect(line?["state"]?.string == "rejected" && line?["reason"]?.string == "order-cancelled")
        }
    }

    @Test("W6: a worker that gives up waits for the payment's lock before it takes the charge's, as everybody does")
    func lockOrder() async throws {
        try await WalletFixture.run(workers: 0, tries: 1) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try await wallet.charge(of: order)
            wallet.setProviderDown(true)
            try await wallet.working {
                try await wallet.pool.withTransaction { transaction in
                    _ = try await transaction.query(LockPayment(order: order.order))
                    try await TestKit.eventually("the worker waits") {
                        try await wallet.pool.first(CountLockWaits()) ?? 0 > 0
                    }
                    #expect(try await transaction.query(LockChargeNow(charge: charge.id)) == [charge.id])
                }
                try await wallet.eventually(order, is: .due)
            }
            #expect(try await wallet.told(about: order.order) == ["refused"])
        }
    }

    @Test(
        "W6: a charge without an answer that is older than its key is looked for, not asked for again; unknown there, it lapses"
    )
    func lapsed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let card = try await wallet.card(salem)
            _ = try await wallet.payByCard(order, salem, card)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let id = try #require(topUp.json["topUp"]?.string)
            try await wallet.pool.execute(AgeCharges())
            try await wallet.working {
                for misses in 1...3 {
                    try await TestKit.eventually("both were looked for \(misses) times") {
                        try await wallet.pool.first(CountMisses()) == 2 * misses
                    }
                    if misses < 3 {
                        #expect(try await wallet.state(of: order) == .authorising)
                        // What the payment provider looks through may lag: to look again at once says nothing new.
                        try await wallet.checkNow()
                        try await wallet.pool.execute(AgeMisses())
                        try await wallet.checkNow()
                    }
                }
                try await wallet.eventually(order, is: .due)
                try await TestKit.eventually("the top-up is refused") {
                    try await wallet.get("topups/\(id)", salem).json["reason"]?.string == "provider-down"
                }
            }
            #expect(wallet.books.payments == 0)
            #expect(try await wallet.told(about: order.order) == ["refused"])
            try await wallet.expectSound()
        }
    }
}

/// No row when somebody else has the lock.
private struct LockChargeNow: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE id = $1 FOR UPDATE SKIP LOCKED"
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

private struct AgeCharges: Statement {
    static let sql: SQL = "UPDATE charges SET made_at = now() - interval '25 hours'"
}

private struct CountMisses: Statement {
    static let sql: SQL = "SELECT sum(misses)::bigint FROM charges"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
