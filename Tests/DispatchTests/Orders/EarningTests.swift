import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O13: what providers have earned", .timeLimit(.minutes(15)))
struct EarningTests {
    /// No row when somebody else has the lock.
    private struct TryLockEarnings: Statement {
        static let sql: SQL = "SELECT true FROM earnings WHERE account = $1 FOR UPDATE SKIP LOCKED"
        let account: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(account) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
    }

    private static func add(_ accounts: [UUID]) -> AddEarnings {
        AddEarnings(
            earned: accounts.map { .init(market: "assef", account: $0, kind: "visit", currency: "SAR", amount: 100) })
    }

    /// As the wallet's event does; and what it has written reaches the database.
    private static func capture(
        _ order: Order, _ world: OrderWorld, in transaction: PostgresTransaction
    ) async throws {
        let news = OrderTrigger.PaymentNews(method: "card", version: 3, earned: 100)
        try await world.operations.recordPayment(
            .paymentCaptured(news), of: order.id, at: .thisMillisecond, in: transaction)
        _ = try await transaction.first(ReadOrderState(order: order.id))
    }

    @Test("O13, W6: two batches of payments of the same providers, the other way round, never wait for each other")
    func crosswise() async throws {
        try await OrderWorld.with { world in
            let (noura, huda) = (try await world.addProvider(), try await world.addProvider("Huda"))
            var done: [Order] = []
            for provider in [noura, huda, huda, noura] {
                done.append(try await world.order(in: .completed, nil, provider))
            }
            let orders = done
            let meanwhile = try await world.pool.withTransaction { transaction in
                try await Self.capture(orders[0], world, in: transaction)
                let meanwhile = Task {
                    try await world.pool.withTransaction { transaction in
                        try await Self.capture(orders[2], world, in: transaction)
                        try await Self.capture(orders[3], world, in: transaction)
                    }
                }
                try await eventually("the other batch is done") {
                    try await world.details(orders[3].id).order.payment.state == .captured
                }
                try await Self.capture(orders[1], world, in: transaction)
                return meanwhile
            }
            try await meanwhile.value
            for provider in [noura, huda] {
                let earned = try await world.pool.query(ListEarnings(market: "assef", account: provider))
                #expect(earned == [Earnings(kind: "visit", currency: "SAR", count: 2, amount: 200)])
            }
            try await world.expectConsistency()
        }
    }

    @Test("O13, W6: what orders have earned is added in one order of the providers, several of one at once")
    func order() async throws {
        try await OrderWorld.with { world in
            let accounts = [UUID.timeOrdered(), .timeOrdered()].sorted()
            try await world.pool.execute(Self.add(accounts + accounts))
            let adding = try await world.pool.withTransaction { transaction in
                #expect(try await transaction.first(TryLockEarnings(account: accounts[0])) == true)
                let adding = Task { try await world.pool.execute(Self.add(accounts.reversed())) }
                try await eventually("it waits for the first") { try await world.pool.first(CountLockWaits()) == 1 }
                #expect(try await world.pool.first(TryLockEarnings(account: accounts[1])) == true)
                return adding
            }
            #expect(try await adding.value == 2)
            for account in accounts {
                let earned = try await world.pool.first(ListEarnings(market: "assef", account: account))
                #expect(earned?.count == 3 && earned?.amount == 300)
            }
        }
    }
}
