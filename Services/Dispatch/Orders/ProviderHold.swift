import Foundation
import Postgres

/// Makes the provider hold the order. No row if the provider already holds an order: of concurrent attempts one
/// succeeds.
struct ClaimProvider: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = $2
        WHERE account = $1 AND current_order IS NULL AND EXISTS (
            SELECT FROM orders WHERE id = $2 AND provider = $1 AND kind = ANY ($3))
        RETURNING true
        """
    let provider: UUID
    let order: UUID
    /// Kinds of orders of which a provider holds one at a time.
    let kinds: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order, kinds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Whether the provider holds an order.
struct IsProviderHeld: Statement {
    static let sql: SQL = "SELECT current_order IS NOT NULL FROM providers WHERE account = $1"
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Releases the provider, if the provider holds this order.
struct FreeProvider: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = NULL, free_since = CASE WHEN $3 THEN now() ELSE free_since END
        WHERE account = $1 AND current_order = $2
        """
    let provider: UUID
    let order: UUID
    /// False if the provider was only asked: the waiting time then continues.
    let hadWork: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order, hadWork) }
}

/// Locks the row of the order's provider until the commit, without waiting. True if another transaction has the lock;
/// false also if the order has no provider or the provider's row is gone.
struct TryLockProviderOf: Statement {
    static let sql: SQL = """
        WITH provider AS (
            SELECT account FROM providers WHERE account = (SELECT provider FROM orders WHERE id = $1)
        ), locked AS (
            SELECT account FROM providers WHERE account = (SELECT account FROM provider) FOR UPDATE SKIP LOCKED
        )
        SELECT EXISTS (SELECT FROM provider) AND NOT EXISTS (SELECT FROM locked)
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
