import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Deposits of providers", .timeLimit(.minutes(15)))
struct DepositTests {
    private func order(_ customer: Person, _ provider: Person) -> OrderSnapshot {
        Orders.accepted(by: customer, provider).now(.accepted, version: 2) {
            $0.deposit = Money(amount: 3_000, currency: "SAR")
        }
    }

    @Test(
        "O11: a deposit is taken with the acceptance, kept, and returned with the order's end, each once",
        arguments: [OrderSnapshot.State.completed, .cancelled, .expired, .requested])
    func returned(end: OrderSnapshot.State) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(5_000, to: noura)
            let order = order(salem, noura)
            for _ in 0..<2 { try await wallet.hear(order) }
            #expect(try await wallet.balance(noura) == 2_000)
            #expect(try await wallet.lines(noura) == ["deposit -3000 waiting"])
            let mine = try await wallet.get("wallets", noura).items.first
            #expect(mine?["held"]?.integer == 3_000, "\(String(describing: mine))")
            try await wallet.expectSound()
            for snapshot in [order.now(end), order, order.now(end)] { try await wallet.hear(snapshot) }
            #expect(try await wallet.balance(noura) == 5_000)
            #expect(try await wallet.told(about: order.order).filter { $0 != "released" } == ["locked", "ended"])
            try await wallet.expectSound()
        }
    }

    @Test("O11: with less in the wallet nothing is taken and the acceptance is refused; after a top-up another is not")
    func refused() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(2_999, to: noura)
            let order = order(salem, noura)
            try await wallet.hear(order)
            #expect(try await wallet.balance(noura) == 2_999)
            try await wallet.hear(order.now(.requested, version: 3) { $0.provider = nil })
            try await wallet.give(1, to: noura)
            try await wallet.hear(order.now(.accepted, version: 4))
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.told(about: order.order) == ["refused", "locked"])
            try await wallet.expectSound()
        }
    }

    @Test("O11: somebody else's acceptance returns the first deposit and takes another")
    func reassigned() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.provider("Huda")
            for person in [noura, huda] { try await wallet.give(3_000, to: person) }
            let order = order(salem, noura)
            try await wallet.hear(order)
            try await wallet.hear(
                order.now(.accepted, version: 4) { $0.provider = .init(account: huda.account, name: huda.name) })
            #expect(try await wallet.balance(noura) == 3_000)
            #expect(try await wallet.balance(huda) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("O11: what is heard first of an acceptance, or of its provider's next one, is answered with that acceptance")
    func acceptances() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_000, to: noura)
            let order = order(salem, noura)
            // Accepted with 2, changed with 3; the wallet hears 3 first.
            for version in [3, 2, 4] {
                try await wallet.hear(order.now(.accepted, version: version) { $0.acceptance = 2 })
            }
            #expect(try await wallet.answeredAcceptances(of: order.order) == [2])
            // Given up with 5, and taken again with 6; of 5 nothing is heard in time.
            for version in [7, 6, 5, 8] {
                let isGivenUp = version == 5
                try await wallet.hear(
                    order.now(isGivenUp ? .requested : .accepted, version: version) {
                        $0.acceptance = isGivenUp ? nil : 6
                        if isGivenUp { $0.provider = nil }
                    })
            }
            #expect(try await wallet.answeredAcceptances(of: order.order) == [2, 6])
            #expect(try await wallet.told(about: order.order) == ["locked", "locked"])
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("O11: reported, it stays until an admin gives it to the customer, or back", arguments: [true, false])
    func decided(toCustomer: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            try await wallet.give(3_000, to: noura)
            let order = order(salem, noura)
            try await wallet.hear(order)
            try await wallet.pay(order, salem, held: "wallet")
            let report = UUID.timeOrdered()
            try await wallet.hear(order.now(.disputed, version: 6) { $0.report = report })
            try await wallet.hear(order.now(.cancelled, version: 7) { $0.report = report })
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.balance(salem) == 0)
            for _ in 0..<2 {
                try await wallet.decide(
                    order, .returnToCustomer, deposit: toCustomer ? .giveToCustomer : .returnToProvider)
            }
            #expect(try await wallet.balance(salem) == 12_000 + (toCustomer ? 3_000 : 0))
            #expect(try await wallet.balance(noura) == (toCustomer ? 0 : 3_000))
            try await wallet.expectSound()
        }
    }

    @Test("O11: what is heard late of an order that is decided takes no second deposit", arguments: [true, false])
    func decidedFirst(toCustomer: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            try await wallet.give(9_000, to: noura)
            let order = order(salem, noura)
            try await wallet.hear(order)
            try await wallet.pay(order, salem, held: "wallet")
            #expect(try await wallet.balance(noura) == 6_000)
            try await wallet.decide(order, .returnToCustomer, deposit: toCustomer ? .giveToCustomer : .returnToProvider)
            let report = UUID.timeOrdered()
            try await wallet.hear(order.now(.inProgress, version: 5))
            try await wallet.hear(order.now(.disputed, version: 6) { $0.report = report })
            try await wallet.hear(order.now(.cancelled, version: 7) { $0.report = report })
            #expect(try await wallet.balance(noura) == (toCustomer ? 6_000 : 9_000))
            #expect(try await wallet.balance(salem) == 12_000 + (toCustomer ? 3_000 : 0))
            try await wallet.expectSound()
        }
    }

    @Test("O11: of two acceptances by one provider at once only what the wallet holds is taken, 30 times")
    func race() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            for _ in 0..<30 {
                let noura = try await wallet.people.provider()
                try await wallet.give(4_000, to: noura)
                let orders = [order(salem, noura), order(salem, noura)]
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for order in orders {
                        tasks.addTask {
                            // What the ledger's floor refuses comes again, as a message does.
                            do { try await wallet.hear(order) } catch is LedgerError { try await wallet.hear(order) }
                        }
                    }
                    try await tasks.waitForAll()
                }
                var told: [String] = []
                for order in orders { told += try await wallet.told(about: order.order) }
                #expect(told.sorted() == ["locked", "refused"])
                #expect(try await wallet.balance(noura) == 1_000)
            }
            try await wallet.expectSound()
        }
    }

    @Test("O11: a deposit that comes back in the same transaction is there for the next one, and only once")
    func together() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_000, to: noura)
            let orders = [order(salem, noura), order(salem, noura), order(salem, noura)]
            try await wallet.hear(orders[0])
            let follow = ApplyOrderSnapshot(settings: { [markets = wallet.parts.markets] in markets.settings(of: $0) })
            try await wallet.pool.withTransaction { transaction in
                for heard in [orders[0].now(.cancelled), orders[1], orders[2]] {
                    try await follow(heard, at: Date(), in: transaction)
                }
            }
            #expect(try await wallet.told(about: orders[1].order) == ["locked"])
            #expect(try await wallet.told(about: orders[2].order) == ["refused"])
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("I12: a deposit keeps its provider's account")
    func leaving() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_000, to: noura)
            try await wallet.hear(order(salem, noura))
            let open = try await wallet.pool.first(FindOpenMoney(account: noura.account))
            #expect(open == [.heldMoney])
        }
    }
}

extension WalletFixture {
    /// The acceptances that dispatch was told about, in the order of telling.
    fileprivate func answeredAcceptances(of order: UUID) async throws -> [Int] {
        try await pool.query(ListAnswers(order: order))
    }
}

private struct ListAnswers: Statement {
    static let sql: SQL = """
        SELECT (payload::json->>'orderVersion')::int8 FROM outbox
        WHERE aggregate = $1 AND name IN ('wallet.deposit.locked.v1', 'wallet.deposit.refused.v1') ORDER BY seq
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
