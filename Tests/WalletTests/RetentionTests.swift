import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import LiveMarkets
@testable import SeraiWallet
@testable import ServiceKit

@Suite("What is kept for a time", .timeLimit(.minutes(15)))
struct RetentionTests {
    @Test(
        "Q9: after the market's time names, titles and lines go, and the ledger stays; what is younger or waits is kept"
    )
    func retention() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(60_000, to: salem)
            let (old, young) = (try await wallet.captured(salem, noura), try await wallet.captured(salem, noura))
            let open = try await wallet.held(salem, noura)
            let now = Date()
            try await wallet.pool.execute(AgePayments(orders: [old.order, open.order], to: now - 600 * 86_400))
            try await wallet.pool.execute(AgeLines(orders: [old.order, open.order], to: now - 600 * 86_400))
            let before = try await wallet.get("ledger/trial-balance", try await wallet.people.master()).items
            for _ in 0..<2 { try await wallet.parts.retentionPass.pass(at: now) }
            func shown(_ order: OrderSnapshot) async throws -> Payment {
                try #require(try await wallet.pool.first(FindPayment(order: order.order)))
            }
            let forgotten = try await shown(old)
            #expect(
                forgotten.customerName.isEmpty && forgotten.terms.providerName == "" && forgotten.state == .captured)
            #expect(forgotten.customer == salem.account && forgotten.price == 12_000)
            for order in [young, open] {
                let kept = try await shown(order)
                #expect(kept.customerName == salem.name && kept.terms.providerName == noura.name)
            }
            let orders = Set(
                try await wallet.get("statement?limit=100", noura).items.compactMap { $0["order"]?.string })
            #expect(orders == [young.order.text, open.order.text])
            #expect(try await wallet.get("ledger/trial-balance", try await wallet.people.master()).items == before)
            try await wallet.expectSound()
            // What comes late of the open one goes on, and the same pass forgets it then.
            try await wallet.hear(open.now(.completed))
            try await wallet.parts.retentionPass.pass(at: now)
            #expect(try await shown(open).customerName.isEmpty)
            #expect(try await wallet.get("markets/assef/payments", admin).items.count == 3)
            try await wallet.expectSound()
        }
    }

    @Test("Q9: names go from old deposits, top-ups and cash-outs that have ended; what is younger or waits keeps them")
    func names() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(60_000, to: noura)
            // Of each an old one that has ended, an old one that is open, and a young one.
            var orders: [OrderSnapshot] = []
            for _ in 0..<3 {
                let order = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                    $0.deposit = Money(amount: 3_000, currency: "SAR")
                }
                try await wallet.hear(order)
                orders.append(order)
            }
            for index in [0, 2] { try await wallet.hear(orders[index].now(.cancelled)) }
            var cashOuts: [UUID] = []
            for _ in 0..<3 {
                let answer = try await wallet.cashOut(4_000, noura)
                cashOuts.append(try #require(answer.json["cashOut"]?.string.flatMap(UUID.init(uuidString:))))
            }
            for index in [0, 2] { _ = try await wallet.decide(cashOuts[index].text, admin, accept: false) }
            // Ids of one millisecond have no order.
            var generator = SystemRandomNumberGenerator()
            for (place, state) in [TopUp.State.completed, .waiting, .completed].enumerated() {
                let topUp = TopUp(
                    id: .timeOrdered(milliseconds: UInt64(1 + place), using: &generator), account: salem.account,
                    market: "assef", currency: "SAR", amount: 100,
                    holder: salem.name, method: .card, state: state, reason: nil)
                _ = try await wallet.pool.execute(InsertTopUp(topUp: topUp))
            }
            let now = Date()
            try await wallet.pool.execute(AgeMatters(to: now - 600 * 86_400))
            for _ in 0..<2 { try await wallet.parts.retentionPass.pass(at: now) }
            let names = try await wallet.pool.query(ListNames())
            #expect(
                names == [
                    "cash-out '' null", "cash-out 'NOURA ALI' Al Rajhi", "cash-out 'NOURA ALI' Al Rajhi",
                    "deposit '' ''", "deposit '\(salem.name)' '\(noura.name)'",
                    "deposit '\(salem.name)' '\(noura.name)'",
                    "top-up ''", "top-up '\(salem.name)'", "top-up '\(salem.name)'",
                ])
        }
    }

    @Test("Q9: eighteen months are eighteen months of the calendar")
    func months() throws {
        let now = try #require(Timestamp.parse("2026-08-31T12:00:00Z"))
        #expect(Market.assef.defaults.retentionStart(before: now) == Timestamp.parse("2025-02-28T12:00:00Z"))
    }
}

private struct AgePayments: Statement {
    static let sql: SQL = "UPDATE payments SET made_at = $2 WHERE order_id = ANY ($1)"
    let orders: [UUID]
    let to: Date
    func bind(_ bindings: inout Bindings) { bindings.append(orders, to) }
}

private struct AgeLines: Statement {
    static let sql: SQL = "UPDATE statement_lines SET at = $2, changed_at = $2 WHERE order_id = ANY ($1)"
    let orders: [UUID]
    let to: Date
    func bind(_ bindings: inout Bindings) { bindings.append(orders, to) }
}

/// The two that were made first of each kind.
private struct AgeMatters: Statement {
    static let sql: SQL = """
        WITH old_deposits AS (
            UPDATE deposits SET made_at = $1 WHERE id IN (SELECT id FROM deposits ORDER BY id LIMIT 2)
        ), old_top_ups AS (
            UPDATE top_ups SET made_at = $1 WHERE id IN (SELECT id FROM top_ups ORDER BY id LIMIT 2)
        )
        UPDATE cash_outs SET made_at = $1 WHERE id IN (SELECT id FROM cash_outs ORDER BY id LIMIT 2)
        """
    let to: Date
    func bind(_ bindings: inout Bindings) { bindings.append(to) }
}

private struct ListNames: Statement {
    static let sql: SQL = """
        SELECT what FROM (
            SELECT 'deposit ' || quote_literal(customer_name) || ' ' || quote_literal(provider_name) AS what, id
            FROM deposits
            UNION ALL SELECT 'cash-out ' || quote_literal(holder) || ' ' || coalesce(bank_name, 'null'), id FROM cash_outs
            UNION ALL SELECT 'top-up ' || quote_literal(holder), id FROM top_ups
        ) AS kept
        ORDER BY split_part(what, ' ', 1), id
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
