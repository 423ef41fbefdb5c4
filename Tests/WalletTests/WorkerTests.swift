import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("The payment worker", .timeLimit(.minutes(3)))
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
            try await wallet.pool.execute(EndLeases())
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
            try await wallet.pool.execute(EndLeases())
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

    @Test("W6: a charge without an answer that is older than its key is not asked for again")
    func lapsed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let card = try await wallet.card(salem)
            _ = try await wallet.payByCard(order, salem, card)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvv": "737"}"#)
            let id = try #require(topUp.json["topUp"]?.string)
            try await wallet.pool.execute(AgeCharges())
            try await wallet.working {
                try await wallet.eventually(order, is: .due)
                try await TestKit.eventually("the top-up is given up") {
                    try await wallet.get("topups/\(id)", salem).json["reason"]?.string == "provider-down"
                }
            }
            #expect(wallet.books.payments == 0)
            #expect(try await wallet.told(about: order.order) == ["refused"])
            try await wallet.expectSound()
        }
    }
}

extension WalletFixture {
    /// Runs a payment worker while `body` does.
    fileprivate func working(_ body: () async throws -> Void) async throws {
        let worker = Task { [parts] in try await parts.paymentWorker.run() }
        do {
            try await body()
        } catch {
            worker.cancel()
            throw error
        }
        worker.cancel()
        try await worker.value
    }
}

/// As when the time of the leases is over.
private struct EndLeases: Statement {
    static let sql: StaticString = "UPDATE charges SET due_at = now() WHERE due_at IS NOT NULL"
}

private struct AgeCharges: Statement {
    static let sql: StaticString = "UPDATE charges SET made_at = now() - interval '25 hours'"
}
