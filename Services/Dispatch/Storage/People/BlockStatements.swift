import Foundation
import Postgres

/// Whether an account is blocked in a market; older news changes nothing.
struct StoreBlock: Statement {
    static let sql: StaticString = """
        INSERT INTO blocks (account, market, is_blocked, version) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account, market) DO UPDATE SET is_blocked = excluded.is_blocked, version = excluded.version
        WHERE blocks.version < excluded.version
        """
    let account: UUID
    let market: String
    let isBlocked: Bool
    let version: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
        bindings.append(isBlocked)
        bindings.append(version)
    }
}

/// What keeps an account from ordering in a market at this moment. Always one row.
struct FindOrderBars: Statement {
    struct Bars: Sendable, Equatable {
        let isBanned: Bool
        /// A fine was not paid in time.
        let isBlocked: Bool
        /// Whether it has a stored card that can be charged, which not every market asks for.
        let hasMethod: Bool
    }

    static let sql: StaticString = """
        SELECT is_banned($1, $2), EXISTS (SELECT FROM blocks WHERE account = $1 AND market = $2 AND is_blocked),
            EXISTS (SELECT FROM payment_methods WHERE account = $1 AND has_method)
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(market)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bars {
        Bars(isBanned: try row.next(), isBlocked: try row.next(), hasMethod: try row.next())
    }
}

struct DeleteBlocks: Statement {
    static let sql: StaticString = "DELETE FROM blocks WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
