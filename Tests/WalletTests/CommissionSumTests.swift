import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Sums of commissions by day", .timeLimit(.minutes(15)))
struct CommissionSumTests {
    @Test(
        "W8: commissions are the ledger's, of orders paid by wallet, card and cash, after refunds in part and whole, reports, and a bank's dispute"
    )
    func ledger() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, bakery) = (try await wallet.admin(), try await wallet.people.provider("Bakery"))
            try await wallet.give(100_000, to: salem)
            let order = try await wallet.captured(salem, noura, amount: 12_000)
            _ = try await wallet.captured(salem, noura, by: "cash", amount: 2_000)
            try await CommissionTests.meal(wallet, salem, noura, bakery, cost: 3_333)
            var byCard: OrderSnapshot?
            // Of somebody else: a dispute freezes the wallet of its customer.
            let huda = try await wallet.people.customer("Huda")
            try await wallet.working { byCard = try await wallet.captured(huda, noura, by: "card", amount: 4_000) }
            let before = try await wallet.get("markets/assef/commissions", admin)
            #expect(before.items.count == 3, "\(before.text)")
            try await Self.expectLedger(wallet, admin)

            // What goes back later is no less commission: it comes from whoever funds it.
            #expect(try await wallet.refund(order, admin, 1_000).status == 201)
            #expect(
                try await wallet.refund(order, admin, 11_000, fundedBy: "provider", more: #", "mayOwe": true"#).status
                    == 201)
            let charge = try await wallet.charge(of: try #require(byCard))
            try await wallet.dispute(charge, "created", "needs_response")
            try await wallet.dispute(charge, "closed", "lost")
            #expect(try await wallet.get("markets/assef/commissions", admin).items == before.items)
            try await Self.expectLedger(wallet, admin)

            // Of a reported order counts what the decision leaves its provider: here 8,000 of 12,000.
            let paid = try await wallet.held(salem, noura)
            let disputed = paid.now(.disputed, version: 6) { $0.report = UUID.timeOrdered() }
            try await wallet.hear(disputed)
            #expect(try await wallet.get("markets/assef/commissions", admin).items == before.items)
            try await wallet.decide(disputed, .split, toCustomer: 4_000)
            let sums = try await Self.sums(wallet, admin)
            #expect(sums.commission == before.items.compactMap { $0["commission"]?.integer }.reduce(0, +) + 1_200)
            try await Self.expectLedger(wallet, admin)
            try await wallet.expectSound()
        }
    }

    @Test("W8: a day of the market's zone begins and ends at its midnight, whichever days the sums are kept of")
    func midnight() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(100_000, to: salem)
            // Midnight in Riyadh is 21:00 of the day before. Amounts tell which orders were counted.
            let moments = [
                ("2026-03-01T20:59:59Z", 100), ("2026-03-01T21:00:00Z", 200), ("2026-03-01T23:59:59Z", 400),
                ("2026-03-02T00:00:00Z", 800), ("2026-03-02T20:59:59Z", 1_600), ("2026-03-02T21:00:00Z", 3_200),
                ("2026-03-04T12:00:00Z", 6_400),
            ]
            try await wallet.pool.execute(AllowChange())
            for (moment, amount) in moments {
                let order = try await wallet.captured(salem, noura, amount: amount)
                try await wallet.pool.execute(
                    MoveCapture(order: order.order, at: try #require(Timestamp.parse(moment))))
            }
            try await Self.makeAnew(wallet)
            func revenue(_ query: String) async throws -> Int {
                let answer = try await wallet.get("markets/assef/commissions\(query)", admin)
                try #require(answer.status == 200, "\(answer.text)")
                return answer.items.compactMap { $0["revenue"]?.integer }.reduce(0, +)
            }
            #expect(try await revenue("") == 12_700)
            #expect(try await revenue("?from=2026-03-01T21:00:00Z&to=2026-03-02T21:00:00Z") == 3_000)
            #expect(try await revenue("?from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z") == 5_600)
            #expect(try await revenue("?to=2026-03-01T21:00:00Z") == 100)
            #expect(try await revenue("?from=2026-03-02T21:00:00Z") == 9_600)
            #expect(try await revenue("?from=2026-03-01T22:00:00Z&to=2026-03-01T23:00:00Z") == 0)
            #expect(try await revenue("?from=2026-03-01T20:00:00Z&to=2026-03-01T21:30:00Z") == 300)
            #expect(try await revenue("?from=2026-03-04T00:00:00Z&to=2026-03-01T00:00:00Z") == 0)
            // Any two moments against a look at each transfer.
            for (from, _) in moments {
                for (to, _) in moments where from < to {
                    let found = try await wallet.pool.first(
                        SumOfLedger(from: Timestamp.parse(from), to: Timestamp.parse(to)))
                    #expect(try await revenue("?from=\(from)&to=\(to)") == found?.revenue, "\(from) \(to)")
                }
            }
        }
    }

    @Test("Q9, W8: what was posted before the sums were kept is in them; names are forgotten and the sums stay")
    func before() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, bakery) = (try await wallet.admin(), try await wallet.people.provider("Bakery"))
            try await wallet.give(50_000, to: salem)
            _ = try await wallet.captured(salem, noura, amount: 12_000)
            try await CommissionTests.meal(wallet, salem, noura, bakery, cost: 3_333)
            let told = try await wallet.get("markets/assef/commissions", admin).items
            try await Self.makeAnew(wallet)
            #expect(try await wallet.get("markets/assef/commissions", admin).items == told)
            // More of the same day: the sums of before and those of now are added.
            _ = try await wallet.captured(salem, noura, amount: 2_000)
            try await Self.expectLedger(wallet, admin)
            let all = try await wallet.get("markets/assef/commissions", admin).items
            let now = Date()
            try await wallet.pool.execute(AgeAllPayments(to: now - 600 * 86_400))
            try await wallet.parts.retentionPass.pass(at: now)
            #expect(
                try await wallet.get("markets/assef/payments", admin).items.first?["customer"]?["name"]?.string == "")
            #expect(try await wallet.get("markets/assef/commissions", admin).items == all)
            try await wallet.expectSound()
            // What does not fit the ledger is found.
            try await wallet.pool.execute(RaiseSums())
            #expect(try await LedgerCheck.whole(wallet.pool).faults.map(\.what).contains("commissions of a day"))
        }
    }

    @Test("W8: a time is whole days of UTC, and what is left at its ends")
    func wholeDays() throws {
        func moment(_ text: String) throws -> Date { try #require(Timestamp.parse(text)) }
        let (morning, evening) = (try moment("2026-03-01T09:00:00Z"), try moment("2026-03-01T21:00:00Z"))
        let (second, third) = (try moment("2026-03-02T00:00:00Z"), try moment("2026-03-03T00:00:00Z"))
        let all = WholeDays(from: nil, to: nil)
        #expect(all.first == nil && all.end == nil && all.before == nil && all.after == nil)
        let inOne = WholeDays(from: morning, to: evening)
        #expect(inOne.first == inOne.end && inOne.before == morning..<evening && inOne.after == nil)
        let overMidnight = WholeDays(from: evening, to: second + 60)
        #expect(overMidnight.first == second && overMidnight.end == second)
        #expect(overMidnight.before == evening..<second && overMidnight.after == second..<(second + 60))
        let day = WholeDays(from: second, to: third)
        #expect(day.first == second && day.end == third && day.before == nil && day.after == nil)
        let longer = WholeDays(from: evening, to: third + 1)
        #expect(longer.first == second && longer.end == third && longer.after == third..<(third + 1))
        let turned = WholeDays(from: third, to: morning)
        #expect(turned.first == turned.end && turned.before == nil && turned.after == nil)
        let open = WholeDays(from: evening, to: nil)
        #expect(open.first == second && open.end == nil && open.before == evening..<second && open.after == nil)
    }

    /// The sums of all parties' answers.
    private static func sums(_ wallet: WalletFixture, _ admin: Person) async throws -> LedgerSums {
        let items = try await wallet.get("markets/assef/commissions", admin).items
        func sum(_ name: String) -> Int { items.compactMap { $0[name]?.integer }.reduce(0, +) }
        return LedgerSums(revenue: sum("revenue"), commission: sum("commission"))
    }

    private static func expectLedger(
        _ wallet: WalletFixture, _ admin: Person, _ place: SourceLocation = #_sourceLocation
    ) async throws {
        let ledger = try await wallet.pool.first(SumOfLedger(from: nil, to: nil))
        #expect(try await sums(wallet, admin) == ledger, sourceLocation: place)
    }

    /// Empties lines and sums, and fills them as the migration does with what was there before it.
    private static func makeAnew(_ wallet: WalletFixture) async throws {
        try await wallet.pool.execute(EmptyLines())
        try await wallet.pool.execute(EmptyDays())
        try await wallet.pool.execute(ForgetMigration())
        try await Migrator(wallet.pool, WalletService.migrations, logger: TestThreads.logger).migrate()
    }
}

struct LedgerSums: Equatable, Sendable {
    let revenue: Int
    let commission: Int
}

/// What escrow or the provider of cash gave for orders, and what of it the platform received, entry by entry.
private struct SumOfLedger: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(payments.settled), 0)::bigint, coalesce(sum(entry.amount), 0)::bigint
        FROM payments
        JOIN transfers ON transfers.subject = payments.order_id
            AND transfers.key IN ('capture:' || payments.order_id, 'commission:' || payments.order_id)
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(entries.amount), 0) AS amount FROM entries JOIN accounts ON accounts.id = entries.account
            WHERE entries.transfer = transfers.id AND accounts.kind = 'platform'
        ) AS entry
        WHERE payments.market = 'assef' AND ($1::timestamptz IS NULL OR transfers.at >= $1)
            AND ($2::timestamptz IS NULL OR transfers.at < $2)
        """
    let from: Date?
    let to: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(from, to) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerSums {
        LedgerSums(revenue: try row.next(), commission: try row.next())
    }
}

private struct AllowChange: Statement {
    static let sql: SQL = "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only"
}

private struct MoveCapture: Statement {
    static let sql: SQL = "UPDATE transfers SET at = $2 WHERE key = 'capture:' || $1::uuid"
    let order: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, at) }
}

private struct EmptyLines: Statement { static let sql: SQL = "DELETE FROM commission_lines" }
private struct EmptyDays: Statement { static let sql: SQL = "DELETE FROM commission_days" }

private struct ForgetMigration: Statement {
    static let sql: SQL = "DELETE FROM schema_migrations WHERE component = 'wallet' AND version = 50"
}

private struct AgeAllPayments: Statement {
    static let sql: SQL = "UPDATE payments SET made_at = $1"
    let to: Date
    func bind(_ bindings: inout Bindings) { bindings.append(to) }
}

private struct RaiseSums: Statement { static let sql: SQL = "UPDATE commission_days SET commission = commission + 1" }
