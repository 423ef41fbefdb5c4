import Foundation
import Postgres

/// Makes the order's provider hold it. No row when the provider holds one already: of any number that try, one wins.
struct ClaimProvider: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = $2
        WHERE account = $1 AND current_order IS NULL AND EXISTS (
            SELECT FROM orders WHERE id = $2 AND provider = $1 AND kind = ANY ($3))
        RETURNING true
        """
    let provider: UUID
    let order: UUID
    /// Of which a provider holds one at a time.
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

/// Lets the provider go, if it is this order that is held.
struct FreeProvider: Statement {
    static let sql: SQL = """
        UPDATE providers SET current_order = NULL, free_since = CASE WHEN $3 THEN now() ELSE free_since END
        WHERE account = $1 AND current_order = $2
        """
    let provider: UUID
    let order: UUID
    /// Not when he or she was only asked: who has waited longer still has.
    let hadWork: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order, hadWork) }
}

/// Takes the lock of the order's provider until the commit, without waiting. True when somebody else has it at this moment;
/// an order without a provider, or whose provider has left, has none to take.
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
