import Foundation
import Postgres

/// Adds earnings, refunds and tips of several orders to the sums of their days, with the rows in a fixed order; see
/// ``OrderSums``.
struct AddEarningsOfDays: Statement {
    /// The amounts in minor units that one order adds to a day of the market's zone.
    struct Part: Sendable {
        let market: String
        let account: UUID
        let day: LocalDay
        let kind: String
        let currency: String
        var count = 0
        var amount = 0
        var returned = 0
        var tips = 0
    }

    static let sql: SQL = """
        INSERT INTO earnings_of_days AS sums (market, account, day, kind, currency, count, amount, returned, tips)
        SELECT part.market, part.account, part.day::date, part.kind, part.currency, sum(part.count)::bigint,
            sum(part.amount)::bigint, sum(part.returned)::bigint, sum(part.tips)::bigint
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
            $9::bigint[]) AS part (market, account, day, kind, currency, count, amount, returned, tips)
        GROUP BY part.market, part.account, part.day, part.kind, part.currency
        ORDER BY part.market, part.account, part.day, part.kind, part.currency
        ON CONFLICT (market, account, day, kind, currency) DO UPDATE
        SET count = sums.count + excluded.count, amount = sums.amount + excluded.amount,
            returned = sums.returned + excluded.returned, tips = sums.tips + excluded.tips
        """
    let parts: [Part]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: parts, \.market, \.account, \.day.text, \.kind, \.currency)
        bindings.append(
            parts.map(\.count), parts.map(\.amount), parts.map(\.returned), parts.map(\.tips))
    }
}

/// Adds tips of several orders to the sums of all time, with the rows in a fixed order; see ``OrderSums``.
struct AddTips: Statement {
    static let sql: SQL = """
        INSERT INTO earnings (market, account, kind, currency, count, amount, tips)
        SELECT part.market, part.account, part.kind, part.currency, 0, 0, sum(part.tips)::bigint
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
            AS part (market, account, kind, currency, tips)
        GROUP BY part.market, part.account, part.kind, part.currency
        ORDER BY part.market, part.account, part.kind, part.currency
        ON CONFLICT (market, account, kind, currency) DO UPDATE SET tips = earnings.tips + excluded.tips
        """
    let parts: [AddEarningsOfDays.Part]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: parts, \.market, \.account, \.kind, \.currency, \.tips)
    }
}

/// Lists an account's earnings in a market by day, newest first.
struct ListEarningsOfDays: Statement {
    struct Row: Sendable, Equatable {
        let day: LocalDay
        let sums: Earnings
    }

    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD'), kind, currency, count, amount - returned, returned, tips FROM earnings_of_days
        WHERE market = $1 AND account = $2 AND day BETWEEN $3::text::date AND $4::text::date
        ORDER BY day DESC, kind, currency
        """
    let market: String
    let account: UUID
    let first: LocalDay
    let last: LocalDay
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, first.text, last.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let day = LocalDay(try row.next(String.self)) ?? LocalDay(number: 0)
        return Row(
            day: day,
            sums: Earnings(
                kind: try row.next(), currency: try row.next(), count: try row.next(), amount: try row.next(),
                returned: try row.next(), tips: try row.next()))
    }
}

/// Finds the first day of which an account's earnings in a market are known apart.
struct FindFirstEarningDay: Statement {
    static let sql: SQL =
        "SELECT to_char(min(day), 'YYYY-MM-DD') FROM earnings_of_days WHERE market = $1 AND account = $2"
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String? { try row.next() }
}

struct DeleteEarningsOfDays: Statement {
    static let sql: SQL = "DELETE FROM earnings_of_days WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
