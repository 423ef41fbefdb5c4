import Foundation
import Postgres

/// Stores a promo code from a wallet event; an older version has no effect.
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

/// Finds a code by its text and counts the account's uses of it. The market's own code precedes another market's.
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

/// Stores the use of a code for an order's payment, and whether it still counts; an older version has no effect.
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

/// Counts one more unknown code and returns the count in the current window.
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

/// Reads the number of unknown codes in the current window; no row means none.
struct ReadPromoMisses: Statement {
    static let sql: SQL =
        "SELECT count::bigint FROM promo_misses WHERE account = $1 AND since >= now() - $2 * interval '1 second'"
    let account: UUID
    let windowSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(account, windowSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Deletes old counts of unknown codes, hourly and in batches. It scans the table, which has one row for each account
/// that has mistyped a code.
struct DeleteOldPromoMisses: Statement {
    static let sql: SQL = """
        WITH old AS (SELECT account FROM promo_misses WHERE since < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        DELETE FROM promo_misses USING old WHERE promo_misses.account = old.account
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// Deletes the promo uses and misses of a deleted account. It joins the account's orders, which are indexed; the index
/// of the uses has only those that count.
struct DeletePromoUses: Statement {
    static let sql: SQL = """
        WITH misses AS (DELETE FROM promo_misses WHERE account = $1)
        DELETE FROM promo_uses USING orders WHERE orders.customer = $1 AND promo_uses.order_id = orders.id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
