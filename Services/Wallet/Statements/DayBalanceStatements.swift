import Foundation
import Postgres

/// The credits and debits of one kind of account on one day.
struct DayMovement: Sendable, Hashable {
    /// `2026-03-01`, in UTC.
    let day: String
    let currency: String
    let kind: String
    /// Minor units, at least zero.
    let credits: Int
    let debits: Int
}

/// Sums the movements by day from `start` until now. All days from `end` on are one row with an empty day.
struct SumDays: Statement {
    static let sql: SQL = """
        SELECT CASE WHEN transfers.at < $2 THEN to_char(transfers.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE '' END,
            accounts.currency, accounts.kind,
            coalesce(sum(entries.amount) FILTER (WHERE entries.amount > 0), 0)::bigint,
            coalesce(-sum(entries.amount) FILTER (WHERE entries.amount < 0), 0)::bigint
        FROM transfers JOIN entries ON entries.transfer = transfers.id JOIN accounts ON accounts.id = entries.account
        WHERE transfers.at >= $1
        GROUP BY 1, 2, 3
        """
    let start: Date
    /// The end of the requested period, exclusive.
    let end: Date
    func bind(_ bindings: inout Bindings) { bindings.append(start, end) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DayMovement {
        DayMovement(
            day: try row.next(), currency: try row.next(), kind: try row.next(), credits: try row.next(),
            debits: try row.next())
    }
}
