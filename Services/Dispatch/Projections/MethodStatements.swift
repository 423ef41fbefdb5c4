import Foundation
import Postgres

/// Stores whether an account has a stored card that can be charged; an older version has no effect.
struct StoreMethod: Statement {
    static let sql: SQL = """
        INSERT INTO payment_methods AS known (account, has_method, version) VALUES ($1, $2, $3)
        ON CONFLICT (account) DO UPDATE SET has_method = excluded.has_method, version = excluded.version
        WHERE known.version < excluded.version
        """
    let account: UUID
    let hasMethod: Bool
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, hasMethod, version) }
}

/// Finds out whether an account has a stored card, as far as is known. Always returns one row.
struct FindMethod: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM payment_methods WHERE account = $1 AND has_method)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteMethod: Statement {
    static let sql: SQL = "DELETE FROM payment_methods WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
