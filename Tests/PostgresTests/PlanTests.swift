import Foundation
import Postgres
import TestKit
import Testing

/// What the settings do that `deploy/postgres/roles.sql` gives the services' roles. DeploymentTests sees that they have them.
@Suite("Plans", .timeLimit(.minutes(15)))
struct PlanTests {
    /// Of identity and wallet.
    private static let rowsByIndex = ["enable_seqscan": "off", "jit": "off"]
    /// Of dispatch and notifications.
    private static let plansMadeOnce = rowsByIndex.merging(["plan_cache_mode": "force_generic_plan"]) { $1 }

    @Test("Q5: a session that is told so asks by one plan from the first time on, and anew where a transaction says so")
    func once() async throws {
        #expect(try await Self.plans(Self.plansMadeOnce) == PlanCounts(kept: 8, anew: 1))
        // What the server does by itself.
        #expect(try await Self.plans([:]) == PlanCounts(kept: 3, anew: 6))
    }

    @Test("Q5: rows are found by their index in a small table; what has none is read all the same")
    func byIndex() async throws {
        let byIndex = try await Self.access(Self.rowsByIndex)
        #expect(byIndex == "Index Scan using accounts_pkey on accounts")
        #expect(try await Self.access([:]) == "Seq Scan on accounts")
        #expect(try await Self.access(PostgresConfiguration.wholeTables) == "Seq Scan on accounts")
    }

    /// How a session with these settings came by its plans, after a statement with an array was asked eight times, and once
    /// more in a transaction that plans anew.
    private static func plans(_ settings: [String: String]) async throws -> PlanCounts? {
        try await withAccounts(settings) { pool in
            for _ in 1...8 { #expect(try await pool.query(BalancesOf(ids: [1, 2])) == [100, 100]) }
            try await pool.withTransaction { transaction in
                transaction.planAnew()
                _ = try await transaction.query(BalancesOf(ids: [1, 2]))
            }
            return try await pool.first(CountPlans(statement: "SELECT balance FROM accounts WHERE id = ANY ($1)%"))
        }
    }

    /// How such a session finds an account among five.
    private static func access(_ settings: [String: String]) async throws -> String? {
        try await withAccounts(settings) { pool in
            #expect(try await pool.query(BalancesWithoutIndex()).count == 5)
            let plan = try await pool.first(ExplainAccount())
            return plan?.split(separator: "  (").first.map(String.init)
        }
    }

    private static func withAccounts<R: Sendable>(
        _ settings: [String: String], _ body: (PostgresPool) async throws -> R
    ) async throws -> R {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) {
                $0.connection.settings = settings
            } _: { pool async throws in
                try await pool.execute(InsertAccounts(ids: Array(1...5)))
                try await pool.execute(AnalyzeAccounts())
                return try await body(pool)
            }
        }
    }
}

struct PlanCounts: Equatable, Sendable {
    let kept: Int
    let anew: Int
}

private struct BalancesOf: Statement {
    static let sql: SQL = "SELECT balance FROM accounts WHERE id = ANY ($1) ORDER BY id"
    let ids: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(ids) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct BalancesWithoutIndex: Statement {
    static let sql: SQL = "SELECT balance FROM accounts WHERE balance + 1 > 1"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct AnalyzeAccounts: Statement {
    static let sql: SQL = "ANALYZE accounts"
}

private struct ExplainAccount: Statement {
    static let sql: SQL = "EXPLAIN SELECT balance FROM accounts WHERE id = 3"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct CountPlans: Statement {
    static let sql: SQL =
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE $1"
    let statement: String
    func bind(_ bindings: inout Bindings) { bindings.append(statement) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PlanCounts {
        PlanCounts(kept: try row.next(), anew: try row.next())
    }
}
