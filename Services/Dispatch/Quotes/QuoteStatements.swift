import Foundation
import Postgres
import SeraiJSON

struct InsertQuote: Statement {
    static let sql: SQL = """
        INSERT INTO quotes (
            id, market, account, kind, tariff, from_latitude, from_longitude, from_description, to_latitude,
            to_longitude, to_description, terms, total, currency, promo, made_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """
    let quote: Quote
    let terms: PostgresJSON

    init(_ quote: Quote) throws {
        self.quote = quote
        terms = PostgresJSON(try JSON.stored.encode(quote.terms))
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            quote.id, quote.market, quote.account, quote.kind, quote.tariff, quote.from.latitude, quote.from.longitude,
            quote.from.description, quote.to.latitude, quote.to.longitude, quote.to.description, terms, quote.total,
            quote.currency, quote.promo, quote.madeAt, quote.expiresAt)
    }
}

/// A quote's row; its terms are not decoded yet.
struct QuoteRow: Sendable {
    let id: UUID
    let market: String
    let account: UUID
    let kind: String
    let tariff: String
    let from: Order.Place
    let to: Order.Place
    let terms: PostgresJSON
    let total: Int
    let currency: String
    let promo: String?
    let madeAt: Date
    let expiresAt: Date
    let order: UUID?

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        account = try row.next()
        kind = try row.next()
        tariff = try row.next()
        from = Order.Place(latitude: try row.next(), longitude: try row.next(), description: try row.next())
        to = Order.Place(latitude: try row.next(), longitude: try row.next(), description: try row.next())
        terms = try row.next()
        total = try row.next()
        currency = try row.next()
        promo = try row.next()
        madeAt = try row.next()
        expiresAt = try row.next()
        order = try row.next()
    }

    func quote() throws -> Quote {
        Quote(
            id: id, market: market, account: account, kind: kind, tariff: tariff, from: from, to: to,
            terms: try JSON.stored.decode(Quote.Terms.self, terms.text), total: total,
            currency: currency, promo: promo, madeAt: madeAt, expiresAt: expiresAt, order: order)
    }
}

struct FindQuote: Statement {
    static let sql: SQL = """
        SELECT id, market, account, kind, tariff, from_latitude, from_longitude, from_description, to_latitude,
            to_longitude, to_description, terms, total, currency, promo, made_at, expires_at, order_id
        FROM quotes WHERE id = $1
        """
    let quote: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(quote) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> QuoteRow { try QuoteRow(&row) }
}

/// Claims an unused and unexpired quote for an order. A concurrent second claim waits for the first and finds the quote
/// used.
struct ClaimQuote: Statement {
    static let sql: SQL = """
        UPDATE quotes SET order_id = $2
        WHERE id = $1 AND account = $3 AND market = $4 AND kind = $5 AND expires_at > $6 AND order_id IS NULL
        RETURNING id, market, account, kind, tariff, from_latitude, from_longitude, from_description, to_latitude,
            to_longitude, to_description, terms, total, currency, promo, made_at, expires_at, order_id
        """
    let quote: UUID
    let order: UUID
    let account: UUID
    let market: String
    let kind: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(quote, order, account, market, kind, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> QuoteRow { try QuoteRow(&row) }
}

/// Deletes up to five unused quotes that have expired. Each new quote runs it, so the old ones never pile up.
struct PurgeQuotes: Statement {
    static let sql: SQL = """
        DELETE FROM quotes USING (
            SELECT id FROM quotes WHERE order_id IS NULL AND expires_at < $1
            ORDER BY expires_at LIMIT 5 FOR UPDATE SKIP LOCKED
        ) AS old WHERE quotes.id = old.id
        """
    let before: Date
    func bind(_ bindings: inout Bindings) { bindings.append(before) }
}

/// Removes the names of a deleted account's restaurants from others' quotes, which describe with them from where a meal is
/// brought. Must run before the restaurants are deleted.
struct ForgetRestaurantsInQuotes: Statement {
    static let sql: SQL = """
        UPDATE quotes SET from_description = NULL
        WHERE from_description IS NOT NULL
            AND terms ->> 'restaurant' IN (SELECT upper(id::text) FROM restaurants WHERE owner = $1)
        """
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(owner) }
}

/// Deletes the quotes of a deleted account.
struct DeleteQuotes: Statement {
    static let sql: SQL = "DELETE FROM quotes WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct WaitingPlace: Sendable {
    let latitude: Double
    let longitude: Double
}

/// Lists the places of orders within a box of degrees that wait for a provider and are being searched for. A meal
/// counts only when the search for its courier has opened.
struct ListWaitingPlaces: Statement {
    static let limit = 1_000
    static let sql: SQL = """
        SELECT latitude, longitude FROM orders
        WHERE market = $1 AND kind = $2 AND NOT is_final AND latitude BETWEEN $3 AND $4
            AND (longitude BETWEEN $5 AND $6 OR longitude BETWEEN $8 AND $9)
            AND state IN ('requested', 'preparing', 'offered')
            AND (kind <> 'food' OR state = 'offered' OR EXISTS (
                SELECT FROM searches WHERE order_id = orders.id AND coalesce(opens_at <= now(), true)))
            AND (coalesce(particulars #>> '{ride,size}', '') = 'xl') = $7
        LIMIT 1000
        """
    let market: String
    let kind: String
    /// For rides: whether to list those that need a larger vehicle, or the others.
    let isLarge: Bool
    let box: DegreeBox
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, kind, box.latitudes.lowerBound, box.latitudes.upperBound, box.longitudes.lowerBound,
            box.longitudes.upperBound, isLarge, box.otherLongitudes.lowerBound, box.otherLongitudes.upperBound)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WaitingPlace {
        WaitingPlace(latitude: try row.next(), longitude: try row.next())
    }
}
