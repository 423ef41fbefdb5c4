import Foundation
import Postgres

/// Stores whether an account is blocked in a market; an older version has no effect.
struct StoreBlock: Statement {
    static let sql: SQL = """
        INSERT INTO blocks (account, market, is_blocked, version) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account, market) DO UPDATE SET is_blocked = excluded.is_blocked, version = excluded.version
        WHERE blocks.version < excluded.version
        """
    let account: UUID
    let market: String
    let isBlocked: Bool
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, isBlocked, version) }
}

struct DeleteBlocks: Statement {
    static let sql: SQL = "DELETE FROM blocks WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
