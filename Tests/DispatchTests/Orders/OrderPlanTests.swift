import Foundation
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Q5: how the hot statements are run", .timeLimit(.minutes(15)))
struct OrderPlanTests {
    private struct Analyze: Statement { static let sql: SQL = "ANALYZE" }

    /// A copy of an order under many ids and for other people.
    private struct CopyOrders: Statement {
        static let sql: SQL = """
            INSERT INTO orders (id, market, kind, version, state, customer, customer_name, provider, provider_name,
                services, total, currency, payment_state, payment_version, confirmed_by, changed_by, is_near, latitude,
                longitude, requested_at, changed_at)
            SELECT gen_random_uuid(), market, kind, version, 'completed', gen_random_uuid(), customer_name,
                gen_random_uuid(), provider_name, services, total, currency, payment_state, payment_version, confirmed_by,
                changed_by, is_near, latitude, longitude, requested_at, changed_at
            FROM orders, generate_series(1, $1) WHERE id = $2
            """
        let count: Int
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(count, order) }
    }

    private struct Scans: Statement {
        static let sql: SQL = "SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'orders'"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> (sequential: Int, byIndex: Int) {
            (try row.next(), try row.next())
        }
    }

    @Test("Q5: finding, listing and changing an order read by index, among twenty thousand others")
    func indices() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .requested)
            try await world.pool.execute(CopyOrders(count: 20_000, order: order.id))
            try await world.pool.execute(Analyze())
            let before = try #require(try await world.pool.first(Scans()))
            try await world.withAnotherProcess { other in
                // Often enough that the server has settled for a plan without the values.
                for _ in 0..<10 {
                    _ = try await other.details(order.id)
                    let reader = OrderReader(pool: other.pool)
                    let customer = order.customer.account
                    _ = try await reader.list(of: customer, as: .customer, .running, after: nil, limit: 21)
                    _ = try await reader.list(
                        of: order.assignee, as: .provider, .ended, after: order.id, limit: 21)
                    _ = try await other.pool.query(
                        ListClients(provider: order.assignee, market: order.market, after: nil, limit: 21))
                    _ = try await Self.outcome { try await other.accept(order) }
                    _ = try await Self.outcome { try await other.cancel(order) }
                }
            }
            // A session tells its figures when it ends.
            let after = try await eventually("the figures are told", value: { try await world.pool.first(Scans()) }) {
                ($0?.byIndex ?? 0) >= before.byIndex + 50
            }
            #expect(after?.sequential == before.sequential)
        }
    }

    private static func outcome(_ work: () async throws -> Order) async throws -> Bool {
        do {
            _ = try await work()
            return true
        } catch is OrderRefusal {
            return false
        }
    }
}
