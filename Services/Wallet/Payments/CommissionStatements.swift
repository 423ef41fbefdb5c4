import Foundation
import Postgres

/// The platform's commissions from one kind of party at one ratio.
struct CommissionFigures: Sendable {
    /// `provider`, `merchant`, or `platform` for its own sales, such as a hire, and for its fees.
    let party: String
    let basisPoints: Int
    let payments: Int
    /// Minor units.
    let revenue: Int
    let commission: Int
}

/// Sums a market's commissions, which are the ledger's own: the transaction that posts writes an order's lines and adds them
/// to the sums of its day. So whole days are read as sums, and only the parts of a day at both ends line by line.
struct SumCommissions: Statement {
    static let sql: SQL = """
        SELECT party, basis_points, sum(payments)::bigint, sum(revenue)::bigint, sum(commission)::bigint
        FROM (
            SELECT party, basis_points, payments, revenue, commission FROM commission_days
            WHERE market = $1 AND currency = $2
                AND ($3::timestamptz IS NULL OR day >= $3) AND ($4::timestamptz IS NULL OR day < $4)
            UNION ALL
            SELECT party, basis_points, 1, revenue, commission FROM commission_lines
            WHERE market = $1 AND currency = $2 AND at >= $5::timestamptz AND at < $6::timestamptz
            UNION ALL
            SELECT party, basis_points, 1, revenue, commission FROM commission_lines
            WHERE market = $1 AND currency = $2 AND at >= $7::timestamptz AND at < $8::timestamptz
        ) AS found
        GROUP BY party, basis_points ORDER BY party, basis_points
        """
    let market: String
    let currency: String
    let time: WholeDays
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, currency, time.first, time.end, time.before?.lowerBound, time.before?.upperBound,
            time.after?.lowerBound, time.after?.upperBound)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CommissionFigures {
        CommissionFigures(
            party: try row.next(), basisPoints: try row.next(), payments: try row.next(), revenue: try row.next(),
            commission: try row.next())
    }
}
