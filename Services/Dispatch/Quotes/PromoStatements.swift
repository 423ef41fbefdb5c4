import Foundation
import Postgres

/// Keeps a promo code as the wallet tells of it; older news changes nothing.
struct StorePromoCode: Statement {
    static let sql: SQL = """
        INSERT INTO promo_codes AS known (
            id, version, market, code, basis_points, maximum, amount, starts_at, ends_at, ended_at, minimum_price,
            limit_per_account, is_used_up)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, market = excluded.market, code = excluded.code,
            basis_points = excluded.basis_points, maximum = excluded.maximum, amount = excluded.amount,
            starts_at = excluded.starts_at, ends_at = excluded.ends_at, ended_at = excluded.ended_at,
            minimum_price = excluded.minimum_price, limit_per_account = excluded.limit_per_account,
            is_used_up = excluded.is_used_up
        WHERE known.version < excluded.version
        """
    let code: KnownPromoCode
    let version: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            code.id, version, code.market, code.code, code.basisPoints, code.maximum, code.amount, code.startsAt,
            code.endsAt, code.endedAt, code.minimumPrice, code.limitPerAccount, code.isUsedUp)
    }
}

/// A code by its text, the market's own before another market's, and how often an account has used it.
struct FindPromoCode: Statement {
    static let sql: SQL = """
        SELECT id, market, code, basis_points, maximum, amount, starts_at, ends_at, ended_at, minimum_price,
            limit_per_account, is_used_up,
            (SELECT count(*) FROM promo_uses WHERE account = $3 AND promo_code = promo_codes.id AND counts)
        FROM promo_codes WHERE code = $2 ORDER BY market = $1 DESC LIMIT 1
        """
    let market: String
    let code: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, code, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (code: KnownPromoCode, ownUses: Int) {
        let code = KnownPromoCode(
            id: try row.next(), market: try row.next(), code: try row.next(), basisPoints: try row.next(),
            maximum: try row.next(), amount: try row.next(), startsAt: try row.next(), endsAt: try row.next(),
            endedAt: try row.next(), minimumPrice: try row.next(), limitPerAccount: try row.next(),
            isUsedUp: try row.next())
        return (code, try row.next())
    }
}

/// Keeps with which code an order's payment goes on, or that it has come to nothing; older news changes nothing.
struct StorePromoUse: Statement {
    static let sql: SQL = """
        INSERT INTO promo_uses AS known (order_id, promo_code, account, counts, version) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (order_id) DO UPDATE
        SET promo_code = excluded.promo_code, account = excluded.account, counts = excluded.counts,
            version = excluded.version
        WHERE known.version < excluded.version
        """
    let order: UUID
    let code: UUID
    let account: UUID
    let counts: Bool
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(order, code, account, counts, version) }
}

/// One code more that there is not; how many there are in the window that runs.
struct CountPromoMiss: Statement {
    static let sql: SQL = """
        INSERT INTO promo_misses AS m (account, since, count) VALUES ($1, now(), 1)
        ON CONFLICT (account) DO UPDATE
        SET since = CASE WHEN m.since < now() - $2 * interval '1 second' THEN now() ELSE m.since END,
            count = CASE WHEN m.since < now() - $2 * interval '1 second' THEN 1 ELSE least(m.count, 1000000) + 1 END
        RETURNING count::bigint
        """
    let account: UUID
    let windowSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(account, windowSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// How many there are in the window that runs; none is no row.
struct ReadPromoMisses: Statement {
    static let sql: SQL =
        "SELECT count::bigint FROM promo_misses WHERE account = $1 AND since >= now() - $2 * interval '1 second'"
    let account: UUID
    let windowSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(account, windowSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Counts of misses whose window is long over. The table is read: it has a row for each account that has mistyped a
/// code, and those that are old go each hour.
struct DeleteOldPromoMisses: Statement {
    static let sql: SQL = """
        WITH old AS (SELECT account FROM promo_misses WHERE since < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        DELETE FROM promo_misses USING old WHERE promo_misses.account = old.account
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// What is kept of somebody's codes, whose account is gone. By the account's orders, which have an index: that of the uses
/// has only those that count.
struct DeletePromoUses: Statement {
    static let sql: SQL = """
        WITH misses AS (DELETE FROM promo_misses WHERE account = $1)
        DELETE FROM promo_uses USING orders WHERE orders.customer = $1 AND promo_uses.order_id = orders.id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
