import Foundation
import Postgres

/// A promo code's published state.
struct PublishedPromoCode: Sendable {
    let counted: CountedPromoCode
    let version: Int
    let isUsedUp: Bool

    fileprivate init(row: inout RowReader) throws(PostgresError) {
        counted = try CountedPromoCode(row: &row)
        version = try row.next()
        isUsedUp = try row.next()
    }
}

/// The current currency of each market.
struct MarketCurrencies: Hashable, Sendable {
    /// Currencies by market.
    let codes: [String: String]

    /// For a code whose state does not depend on the market's currency.
    static let unknown = MarketCurrencies(codes: [:])

    /// Binds two arrays: the markets, and their currencies.
    func bind(_ bindings: inout Bindings) {
        let markets = codes.keys.sorted()
        let currencies = markets.map { codes[$0] ?? "" }
        bindings.append(markets, currencies)
    }
}

/// Records a code's state as published. Returns a row when it changed. A code in another currency than its market's
/// current one is published as used up, since readers take its amounts to be in the market's currency.
struct NotePromoCode: Statement {
    static let sql: SQL = """
        UPDATE promo_codes
        SET version = version + 1, told_ended = ended_at IS NOT NULL,
            told_used_up = coalesce(uses >= use_limit, false) OR EXISTS (
                SELECT FROM unnest($2::text[], $3::text[]) AS known (market, currency)
                WHERE known.market = promo_codes.market AND known.currency <> promo_codes.currency)
        WHERE id = $1 AND (
            version = 0 OR told_ended <> (ended_at IS NOT NULL)
            OR told_used_up <> (coalesce(uses >= use_limit, false) OR EXISTS (
                SELECT FROM unnest($2::text[], $3::text[]) AS known (market, currency)
                WHERE known.market = promo_codes.market AND known.currency <> promo_codes.currency)))
        RETURNING id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, ended_at, uses, version, told_used_up
        """
    let code: UUID
    let currencies: MarketCurrencies
    func bind(_ bindings: inout Bindings) {
        bindings.append(code)
        currencies.bind(&bindings)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PublishedPromoCode {
        try PublishedPromoCode(row: &row)
    }
}

/// Locks published codes with their last published state, in the order of their ids, until the commit.
struct LockPublishedPromoCodes: Statement {
    static let sql: SQL = """
        SELECT id, market, currency, code, basis_points, maximum, amount, starts_at, ends_at, minimum_price, use_limit,
            limit_per_account, ended_at, uses, version, told_used_up
        FROM promo_codes WHERE version > 0 AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2 FOR NO KEY UPDATE
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PublishedPromoCode {
        try PublishedPromoCode(row: &row)
    }
}

/// Finds codes whose published state is out of date. Scans all codes, of which there are few: an index on the count
/// would cost every use more than this scan costs every few seconds.
struct FindUnpublishedPromoCodes: Statement {
    static let sql: SQL = """
        SELECT id FROM promo_codes
        WHERE version = 0 OR told_ended <> (ended_at IS NOT NULL)
            OR told_used_up <> (coalesce(uses >= use_limit, false) OR EXISTS (
                SELECT FROM unnest($2::text[], $3::text[]) AS known (market, currency)
                WHERE known.market = promo_codes.market AND known.currency <> promo_codes.currency))
            OR told_used_up AND EXISTS (
                SELECT FROM promo_uses
                WHERE promo_uses.code = promo_codes.id AND returned_at IS NOT NULL AND NOT settled)
        ORDER BY id LIMIT $1
        """
    let limit: Int
    let currencies: MarketCurrencies
    func bind(_ bindings: inout Bindings) {
        bindings.append(limit)
        currencies.bind(&bindings)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Locks a code and reads its number of uses.
struct LockPromoUses: Statement {
    static let sql: SQL = "SELECT uses FROM promo_codes WHERE id = $1 FOR NO KEY UPDATE"
    let code: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
