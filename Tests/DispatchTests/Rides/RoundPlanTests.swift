import Foundation
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Q5: how rounds read", .timeLimit(.minutes(15)))
struct RoundPlanTests {
    private struct Explain: Statement {
        static let sql: SQL = """
            EXPLAIN SELECT order_id FROM searches WHERE market = 'btnc' AND area = 5802958 AND round_at IS NOT NULL
            ORDER BY began_at LIMIT 200
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct ExplainDue: Statement {
        static let sql: SQL =
            "EXPLAIN SELECT market, area FROM searches WHERE round_at <= clock_timestamp() ORDER BY round_at LIMIT 200"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct CopySearches: Statement {
        static let sql: SQL = """
            WITH copies AS (
                INSERT INTO orders (id, market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at)
                SELECT gen_random_uuid(), market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at
                FROM orders, generate_series(1, 20000) WHERE id = $1 RETURNING id
            )
            INSERT INTO searches (order_id, market, area, kind, customer, latitude, longitude, began_at, stage, stage_since,
                round_at)
            SELECT id, 'btnc', floor(random() * 1000), 'ride', gen_random_uuid(), 0, 0, now(), 0, now(),
                CASE WHEN random() < 0.5 THEN now() + interval '1 hour' END
            FROM copies
            """
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(order) }
    }

    private struct Analyze: Statement { static let sql: SQL = "ANALYZE searches" }

    @Test("Q5: what waits in an area, and what is due, is read by index among twenty thousand")
    func plans() async throws {
        try await RideWorld.with { world in
            let order = try await world.ride()
            try await world.pool.execute(CopySearches(order: order.id))
            try await world.pool.execute(Analyze())
            #expect(try await world.pool.query(Explain()).joined().contains("searches_of_area"))
            #expect(try await world.pool.query(ExplainDue()).joined().contains("searches_due"))
        }
    }
}
