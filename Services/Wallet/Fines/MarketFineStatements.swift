import Foundation
import Postgres

/// The filter of a list of a market's fines, newest first.
struct FineFilter: Sendable {
    let market: String
    let account: UUID?
    let order: UUID?
    /// Nil for paid and unpaid fines.
    let isPaid: Bool?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
}

struct ListFines: Statement {
    struct Row: Sendable {
        let fine: Fine
        let paidAt: Date?
    }

    static let sql: SQL = """
        SELECT order_id, market, account, currency, amount, provider, to_provider, to_platform, charged_at, due_at,
            reminded_at, paid_at
        FROM fines
        WHERE market = $1 AND ($2::uuid IS NULL OR account = $2) AND ($3::bool IS NULL OR (paid_at IS NOT NULL) = $3)
            AND ($4::timestamptz IS NULL OR charged_at >= $4) AND ($5::timestamptz IS NULL OR charged_at < $5)
            AND ($6::timestamptz IS NULL OR (charged_at, order_id) < ($6, $7)) AND ($9::uuid IS NULL OR order_id = $9)
        ORDER BY charged_at DESC, order_id DESC LIMIT $8
        """
    let filter: FineFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.account, filter.isPaid, filter.from, filter.to, filter.after?.at, filter.after?.id,
            filter.limit, filter.order)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(fine: try Fine(row: &row), paidAt: try row.next())
    }
}

/// The sums of a market's fines.
struct FineFigures: Sendable, Hashable {
    let fines: Int
    /// Minor units, like the next three.
    let amount: Int
    /// The unpaid part of `amount`.
    let unpaid: Int
    /// The platform's share, which it gets when the fine is charged.
    let platformShare: Int
    /// The share of the providers who were on the way.
    let providerShare: Int
    let unpaidFines: Int
}

struct SumFines: Statement {
    static let sql: SQL = """
        SELECT count(*), coalesce(sum(amount), 0)::bigint, coalesce(sum(amount) FILTER (WHERE paid_at IS NULL), 0)::bigint,
            coalesce(sum(to_platform), 0)::bigint, coalesce(sum(to_provider), 0)::bigint,
            count(*) FILTER (WHERE paid_at IS NULL)
        FROM fines
        WHERE market = $1 AND ($2::timestamptz IS NULL OR charged_at >= $2)
            AND ($3::timestamptz IS NULL OR charged_at < $3) AND currency = $4
        """
    let market: String
    let currency: String
    let from: Date?
    let to: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(market, from, to, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> FineFigures {
        FineFigures(
            fines: try row.next(), amount: try row.next(), unpaid: try row.next(), platformShare: try row.next(),
            providerShare: try row.next(), unpaidFines: try row.next())
    }
}
