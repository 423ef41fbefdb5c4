import Foundation
import Postgres

/// A promo code and the number of its uses.
struct CountedPromoCode: Sendable {
    var code: PromoCode
    /// Includes uses that were returned but not settled yet.
    let uses: Int

    /// Reads the columns of every statement that selects promo codes, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        let (id, market, currency): (UUID, String, String) = (try row.next(), try row.next(), try row.next())
        let text: String = try row.next()
        let (basisPoints, maximum): (Int?, Int?) = (try row.next(), try row.next())
        let amount: Int? = try row.next()
        // A check constraint ensures that exactly one of both is set.
        let benefit: PromoCode.Benefit =
            if let basisPoints { .percent(basisPoints: basisPoints, maximum: maximum) } else { .amount(amount ?? 0) }
        code = PromoCode(
            id: id, market: market, currency: currency, code: text, benefit: benefit, startsAt: try row.next(),
            endsAt: try row.next(), minimumPrice: try row.next(), limit: try row.next(),
            limitPerAccount: try row.next(), endedAt: try row.next())
        uses = try row.next()
    }
}

/// Affects no row when the market already has a code with this name.
struct InsertPromoCode: Statement {
    static let sql: SQL = """
        INSERT INTO promo_codes (
            id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, made_by, made_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        ON CONFLICT (market, code) DO NOTHING
        """
    let code: PromoCode
    let by: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(code.id, code.market, code.currency, code.code)
        switch code.benefit {
        case .percent(let basisPoints, let maximum):
            bindings.append(basisPoints, maximum, Int?.none)
        case .amount(let amount):
            bindings.append(Int?.none, Int?.none, amount)
        }
        bindings.append(code.startsAt, code.endsAt, code.minimumPrice, code.limit, code.limitPerAccount, by, at)
    }
}

struct LockPromoCode: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, ended_at, uses
        FROM promo_codes WHERE market = $1 AND code = $2 FOR NO KEY UPDATE
        """
    let market: String
    let code: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CountedPromoCode {
        try CountedPromoCode(row: &row)
    }
}

struct FindPromoCodeByText: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, ended_at, uses
        FROM promo_codes WHERE market = $1 AND code = $2
        """
    let market: String
    let code: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CountedPromoCode {
        try CountedPromoCode(row: &row)
    }
}

/// Ends a code, once.
struct EndPromoCode: Statement {
    static let sql: SQL = """
        UPDATE promo_codes SET ended_at = $3 WHERE id = $1 AND market = $2 AND ended_at IS NULL
        RETURNING id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, ended_at, uses
        """
    let code: UUID
    let market: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(code, market, at) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CountedPromoCode {
        try CountedPromoCode(row: &row)
    }
}

struct SetPromoUses: Statement {
    static let sql: SQL = "UPDATE promo_codes SET uses = $2 WHERE id = $1"
    let code: UUID
    let uses: Int
    func bind(_ bindings: inout Bindings) { bindings.append(code, uses) }
}

struct InsertPromoUse: Statement {
    static let sql: SQL =
        "INSERT INTO promo_uses (id, code, account, order_id, discount, at) VALUES ($1, $2, $3, $4, $5, $6)"
    let use: AppliedPromotion
    let code: UUID
    let account: UUID
    let order: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(use.use, code, account, order, use.discount, at) }
}

/// Returns a use whose payment came to nothing. Does not touch the code's row: the next use of the code settles the
/// count, so that orders which end together never wait for each other here.
struct ReturnPromoUse: Statement {
    static let sql: SQL = "UPDATE promo_uses SET returned_at = now() WHERE id = $1 AND returned_at IS NULL"
    let use: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(use) }
}

/// Marks the returned uses of a locked code as settled. One row for each.
struct SettleReturnedUses: Statement {
    static let sql: SQL = """
        UPDATE promo_uses SET settled = true WHERE code = $1 AND returned_at IS NOT NULL AND NOT settled RETURNING id
        """
    let code: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct CountReturnedUses: Statement {
    static let sql: SQL =
        "SELECT count(*) FROM promo_uses WHERE code = $1 AND returned_at IS NOT NULL AND NOT settled"
    let code: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountUses: Statement {
    static let sql: SQL =
        "SELECT count(*) FROM promo_uses WHERE code = $1 AND account = $2 AND returned_at IS NULL"
    let code: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(code, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Counts an attempt and returns the number of attempts in the current window.
struct CountPromoAttempt: Statement {
    static let sql: SQL = """
        INSERT INTO promo_attempts AS a (account, since, count) VALUES ($1, now(), 1)
        ON CONFLICT (account) DO UPDATE
        SET since = CASE WHEN a.since < now() - $2 * interval '1 second' THEN now() ELSE a.since END,
            count = CASE WHEN a.since < now() - $2 * interval '1 second' THEN 1 ELSE least(a.count, 1000000) + 1 END
        RETURNING count::bigint
        """
    let account: UUID
    let windowSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(account, windowSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// A code with its cost so far.
struct PromoCodeFigures: Sendable {
    var counted: CountedPromoCode
    let madeAt: Date
    /// Uses that count, and the platform's cost for them. For an order that costs less in the end, that is at most the
    /// lower cost.
    let uses: Int
    let discounts: Int
    /// The uses of captured payments.
    let capturedUses: Int
    let capturedDiscounts: Int

    fileprivate init(row: inout RowReader) throws(PostgresError) {
        counted = try CountedPromoCode(row: &row)
        madeAt = try row.next()
        uses = try row.next()
        discounts = try row.next()
        capturedUses = try row.next()
        capturedDiscounts = try row.next()
    }
}

/// Lists codes with figures, newest first.
struct ListPromoCodes: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, codes.code, basis_points, maximum, amount, starts_at, ends_at, minimum_price,
            use_limit, limit_per_account, ended_at, uses, made_at, figures.*
        FROM (
            SELECT * FROM promo_codes
            WHERE market = $1 AND ($2::uuid IS NULL OR id = $2)
                AND ($3::timestamptz IS NULL OR (made_at, id) < ($3, $4))
            ORDER BY made_at DESC, id DESC LIMIT $5
        ) AS codes
        CROSS JOIN LATERAL (
            SELECT count(*), coalesce(sum(cost.discount), 0)::bigint, count(*) FILTER (WHERE cost.is_captured),
                coalesce(sum(cost.discount) FILTER (WHERE cost.is_captured), 0)::bigint
            FROM promo_uses JOIN payments ON payments.order_id = promo_uses.order_id
            CROSS JOIN LATERAL (
                SELECT payments.state = 'captured' AS is_captured,
                    CASE payments.state
                        WHEN 'captured' THEN least(promo_uses.discount, coalesce(payments.settled, payments.amount))
                        ELSE promo_uses.discount END AS discount
            ) AS cost
            WHERE promo_uses.code = codes.id AND promo_uses.returned_at IS NULL
        ) AS figures
        ORDER BY made_at DESC, id DESC
        """
    let market: String
    var code: UUID?
    var after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, code, after?.at, after?.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PromoCodeFigures {
        try PromoCodeFigures(row: &row)
    }
}
