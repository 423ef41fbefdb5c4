import Foundation
import Postgres

/// Inserts a series unless the customer has the maximum number of active ones.
struct InsertSeries: Statement {
    static let sql: SQL = """
        INSERT INTO series (
            id, market, customer, services, latitude, longitude, description, preferred, recipient, rule, first_day,
            minute, exceptions, state, created_at, currency, method, card, agreed_at, by_desk,
            agreed_total, ordered_by, parcel)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::date, $12, $13, 'active', $14, $16::text, $17::text,
            $18::uuid, $19::timestamptz, $23::bool, $20::bigint, $21::uuid, $22::jsonb
        WHERE (SELECT count(*) FROM series WHERE customer = $3 AND state = 'active') < $15
        """
    let series: Series
    let parcel: PostgresJSON?

    /// - Throws: errors of the encoder.
    init(series: Series) throws {
        self.series = series
        parcel = try series.wish.parcel.map { try .encoding($0) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            series.id, series.market, series.customer, series.wish.services, series.wish.place.latitude,
            series.wish.place.longitude, series.wish.place.description, series.wish.preferred, series.wish.recipient,
            series.rule.text, series.firstDay.text, series.minute, series.exceptions.sorted().map(\.text),
            series.createdAt, Series.maximum, series.currency, series.consent?.method.rawValue, series.consent?.card,
            series.consent?.agreedAt, series.agreedTotal, series.orderedBy, parcel, series.consent?.isByDesk ?? false)
    }
}

struct FindSeries: Statement {
    static let sql: SQL = """
        SELECT id, market, customer, services, latitude, longitude, description, preferred, recipient, rule,
            to_char(first_day, 'YYYY-MM-DD'), minute, exceptions, to_char(planned_through, 'YYYY-MM-DD'), state,
            created_at, ended_at, ended_reason, currency, method, card, agreed_at, by_desk,
            agreed_total, ordered_by, parcel
        FROM series WHERE id = $1
        """
    let series: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesRow { try SeriesRow(&row) }
}

struct LockSeries: Statement {
    static let sql: SQL = "SELECT FROM series WHERE id = $1 FOR UPDATE"
    let series: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series) }
}

/// Locks a series; returns no row if another transaction holds the lock.
struct TryLockSeries: Statement {
    static let sql: SQL = "SELECT FROM series WHERE id = $1 FOR UPDATE SKIP LOCKED"
    let series: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series) }
}

/// Lists a customer's series, newest first.
struct ListSeries: Statement {
    static let sql: SQL = """
        SELECT id, market, customer, services, latitude, longitude, description, preferred, recipient, rule,
            to_char(first_day, 'YYYY-MM-DD'), minute, exceptions, to_char(planned_through, 'YYYY-MM-DD'), state,
            created_at, ended_at, ended_reason, currency, method, card, agreed_at, by_desk,
            agreed_total, ordered_by, parcel
        FROM series WHERE customer = $1 AND ($2::uuid IS NULL OR id < $2) AND ($4::text IS NULL OR market = $4)
        ORDER BY id DESC LIMIT $3
        """
    let customer: UUID
    /// Nil means all.
    let market: String?
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(customer, after, limit, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesRow { try SeriesRow(&row) }
}

struct UpdateSeries: Statement {
    static let sql: SQL = """
        UPDATE series SET planned_through = $2::text::date, state = $3, ended_at = $4, ended_reason = $5 WHERE id = $1
        """
    let series: Series
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            series.id, series.plannedThrough?.text, series.state.rawValue, series.endedAt, series.endedReason)
    }
}

/// When the last visit of a series is, or was; null without any.
struct FindLastVisit: Statement {
    static let sql: SQL = "SELECT max(starts_at) FROM series_occurrences WHERE series = $1"
    let series: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date? { try row.next() }
}

/// Stores the payment method and the agreed price.
struct UpdateSeriesConsent: Statement {
    static let sql: SQL = """
        UPDATE series SET method = $2, card = $3, agreed_at = $4, agreed_total = $5, currency = $6, by_desk = $7
        WHERE id = $1
        """
    let series: Series
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            series.id, series.consent?.method.rawValue, series.consent?.card, series.consent?.agreedAt,
            series.agreedTotal, series.currency, series.consent?.isByDesk ?? false)
    }
}

/// Stores the first order's total as the agreed price of a series that has none because it is older than the agreement.
struct KeepAgreedTotal: Statement {
    static let sql: SQL = """
        UPDATE series SET agreed_total = orders.total FROM orders
        WHERE series.id = $1 AND orders.id = $2 AND series.agreed_total IS NULL
        """
    let series: UUID
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(series, order) }
}

/// Whether a customer has a series whose visits are still ordered.
struct HasActiveSeries: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM series WHERE customer = $1 AND state = 'active')"
    let customer: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(customer) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Deletes a customer's series with their visits; the orders stay.
struct DeleteSeriesOfCustomer: Statement {
    static let sql: SQL = "DELETE FROM series WHERE customer = $1"
    let customer: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(customer) }
}

/// Removes a deleted account as the preferred partner of series.
struct ForgetInSeries: Statement {
    static let sql: SQL = "UPDATE series SET preferred = NULL WHERE preferred = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// A series that has ended, with its customer and market.
struct EndedSeries: Sendable, Equatable {
    let series: UUID
    let customer: UUID
    let market: String

    fileprivate init(_ row: inout RowReader) throws(PostgresError) {
        series = try row.next()
        customer = try row.next()
        market = try row.next()
    }
}

/// Ends a customer's active series in a market, or in all (`*`), and deletes the visits without an order.
struct EndSeriesOfCustomer: Statement {
    static let sql: SQL = """
        WITH ended AS (
            UPDATE series SET state = 'ended', ended_at = $3, ended_reason = $4
            WHERE customer = $1 AND (market = $2 OR $2 = '*') AND state = 'active'
            RETURNING id, customer, market
        ), gone AS (
            DELETE FROM series_occurrences AS visit USING ended WHERE visit.series = ended.id AND visit.state = 'planned'
        )
        SELECT id, customer, market FROM ended
        """
    let customer: UUID
    let market: String
    let at: Date
    let reason: String
    func bind(_ bindings: inout Bindings) { bindings.append(customer, market, at, reason) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> EndedSeries { try EndedSeries(&row) }
}

/// Ends the active series for a relative in a market, or in all (`*`). They never turn into visits for their customer.
struct EndSeriesForRelative: Statement {
    static let sql: SQL = """
        WITH ended AS (
            UPDATE series SET state = 'ended', ended_at = $3, ended_reason = $4
            WHERE recipient = $1 AND (market = $2 OR $2 = '*') AND state = 'active'
            RETURNING id, customer, market
        ), gone AS (
            DELETE FROM series_occurrences AS visit USING ended WHERE visit.series = ended.id AND visit.state = 'planned'
        )
        SELECT id, customer, market FROM ended
        """
    let account: UUID
    let market: String
    let at: Date
    let reason: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, at, reason) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> EndedSeries { try EndedSeries(&row) }
}

/// Removes a deleted account as the recipient of series. Runs after these series have ended.
struct ForgetRecipientOfSeries: Statement {
    static let sql: SQL = "UPDATE series SET recipient = NULL WHERE recipient = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
