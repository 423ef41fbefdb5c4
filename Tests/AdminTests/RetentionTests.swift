import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("What admins keep", .timeLimit(.minutes(15)))
struct RetentionTests {
    /// Seventeen months and some days ago, when this version of the program keeps everything still.
    private let then = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 530 * 86_400).rounded())

    private var later: Date { Date() + 60 * 86_400 }

    private func story(amount: Int = 12_000) -> Story {
        var story = Story()
        var generator = SystemRandomNumberGenerator()
        story.order = .timeOrdered(milliseconds: UInt64(then.timeIntervalSince1970 * 1_000), using: &generator)
        story.requestedAt = then
        story.amount = amount
        return story
    }

    private func tell(_ events: [any Message], _ pool: PostgresPool) async throws {
        for event in events { try await pool.withTransaction { try record(event, .timeOrdered(), $0) } }
    }

    private func forget(_ pool: PostgresPool) async throws {
        try await RetentionPass(pool: pool, clock: { Date() }, logger: TestThreads.logger).pass(at: later)
    }

    /// The figures of the days around that one.
    private func figures(_ fixture: AdminFixture) async throws -> [JSONValue] {
        let settings = Market.assef.defaults
        let days = "from=\(settings.day(of: then - 86_400))&to=\(settings.day(of: then + 2 * 86_400))"
        return [
            try await fixture.read("/admin/v1/markets/assef/money?\(days)"),
            try await fixture.read("/admin/v1/markets/assef/statistics?\(days)"),
        ]
    }

    @Test("Q9: of orders past their time admin has sums only, and figures are as before")
    func sums() async throws {
        try await AdminFixture.running { fixture async throws in
            let (one, two, open) = (story(), story(amount: 5_001), story())
            try await tell(one.events + two.events, fixture.pool)
            try await tell([OrderRequested(order: open.snapshot(1, .requested, minutes: 0))], fixture.pool)
            let before = try await figures(fixture)
            #expect(before[0]["total"]?["revenue"] == .integer(17_001), "\(before[0])")
            try await forget(fixture.pool)
            #expect(try await figures(fixture) == before)
            let rest = try await fixture.pool.query(CountRows())
            // The open one stays, however old.
            #expect(rest == ["order_events 1", "orders 1", "payments 0", "ratings 0", "reports 0"], "\(rest)")
            let dump = try await fixture.pool.query(DumpSums()).joined()
            for person in [one.customer, one.provider, two.customer] {
                #expect(!dump.contains(person.name) && !dump.contains(person.account.text))
            }
            #expect(!dump.contains(one.order.text))
            // Once more changes nothing.
            try await forget(fixture.pool)
            #expect(try await figures(fixture) == before)
        }
    }

    @Test("Q9: what comes late of a forgotten order, or is told again, brings nothing back and counts nothing twice")
    func late() async throws {
        try await AdminFixture.running { fixture async throws in
            let old = story()
            try await tell(old.events, fixture.pool)
            try await forget(fixture.pool)
            let before = try await figures(fixture)
            try await tell(old.events.shuffled(), fixture.pool)
            var owners = Owners()
            for event in old.events { owners.hear(event) }
            let range = ToldRange(after: nil, through: nil, readAt: Date())
            let (order, payment) = (try #require(owners.order), try #require(owners.payment))
            try await fixture.pool.withTransaction { transaction in
                try await StoreRepublishedOrders.told(OrdersTold(range: range, orders: [order]), in: transaction)
                try await StoreRepublishedPayments.told(
                    PaymentsTold(range: range, payments: [payment]), in: transaction)
            }
            #expect(try await figures(fixture) == before)
            let rest = try await fixture.pool.query(CountRows())
            #expect(rest == ["order_events 0", "orders 0", "payments 0", "ratings 0", "reports 0"], "\(rest)")
        }
    }

    @Test("Q9: an old order with an open report, or with money that is held, waits for its end")
    func waiting() async throws {
        try await AdminFixture.running { fixture async throws in
            let (held, reported) = (story(), story())
            try await tell(
                [
                    PaymentHeld(payment: held.money(3, .held), at: held.time(3)),
                    OrderCancelled(order: held.snapshot(4, .cancelled, minutes: 40)),
                    OrderCancelled(order: reported.snapshot(4, .cancelled, minutes: 40)),
                ], fixture.pool)
            try await fixture.pool.execute(
                InsertOpenReport(order: reported.order, account: reported.customer.account, at: then))
            try await forget(fixture.pool)
            #expect(try await fixture.pool.query(CountRows()).contains("orders 2"))
        }
    }
}

private struct CountRows: Statement {
    static let sql: SQL = """
        SELECT line FROM (
            SELECT 'orders ' || count(*) FROM orders UNION ALL SELECT 'payments ' || count(*) FROM payments
            UNION ALL SELECT 'ratings ' || count(*) FROM ratings UNION ALL SELECT 'reports ' || count(*) FROM reports
            UNION ALL SELECT 'order_events ' || count(*) FROM order_events
        ) AS counts (line) ORDER BY line COLLATE "C"
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct DumpSums: Statement {
    static let sql: SQL = "SELECT to_jsonb(s)::text FROM sums_of_days AS s"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct InsertOpenReport: Statement {
    static let sql: SQL = """
        INSERT INTO reports (id, order_id, market, made_by, account, reason, cancels, awaits_decision, at)
        VALUES (gen_random_uuid(), $1, 'assef', 'customer', $2, 'provider-late', false, true, $3)
        """
    let order: UUID
    let account: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, account, at) }
}
