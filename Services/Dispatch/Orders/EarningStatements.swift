import Foundation
import Postgres

/// Sum of an account's earnings with one kind of order in a market.
struct Earnings: Sendable, Hashable {
    let kind: String
    let currency: String
    /// Number of paid orders.
    let count: Int
    /// Minor units, after the platform's share and less refunds; negative if the refunds exceed the earnings.
    let amount: Int
    /// Minor units of refunds that the account funded.
    var returned = 0
    /// Minor units of tips, beside the amount.
    var tips = 0
}

/// Adds the earnings of several orders, with the rows in a fixed order; see ``OrderSums``.
struct AddEarnings: Statement {
    /// Earnings of one order.
    struct Earned: Sendable {
        let market: String
        let account: UUID
        let kind: String
        let currency: String
        let amount: Int
        /// The day of the market's zone on which the order ended; nil counts in no day.
        var day: LocalDay?
    }

    static let sql: SQL = """
        INSERT INTO earnings (market, account, kind, currency, count, amount)
        SELECT earned.market, earned.account, earned.kind, earned.currency, count(*), sum(earned.amount)::bigint
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
            AS earned (market, account, kind, currency, amount)
        GROUP BY earned.market, earned.account, earned.kind, earned.currency
        ORDER BY earned.market, earned.account, earned.kind, earned.currency
        ON CONFLICT (market, account, kind, currency) DO UPDATE
        SET count = earnings.count + excluded.count, amount = earnings.amount + excluded.amount
        """
    let earned: [Earned]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: earned, \.market, \.account, \.kind, \.currency, \.amount)
    }
}

/// Adds refunds that providers funded, with the rows in a fixed order; see ``OrderSums``.
struct AddReturnedEarnings: Statement {
    /// Refund of one order.
    struct Returned: Sendable {
        let market: String
        let account: UUID
        let kind: String
        let currency: String
        /// Minor units.
        let amount: Int
        /// The day of the market's zone on which the order ended; nil counts in no day.
        var day: LocalDay?
    }

    static let sql: SQL = """
        INSERT INTO earnings (market, account, kind, currency, count, amount, returned)
        SELECT given.market, given.account, given.kind, given.currency, 0, 0, sum(given.amount)::bigint
        FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
            AS given (market, account, kind, currency, amount)
        GROUP BY given.market, given.account, given.kind, given.currency
        ORDER BY given.market, given.account, given.kind, given.currency
        ON CONFLICT (market, account, kind, currency) DO UPDATE SET returned = earnings.returned + excluded.returned
        """
    let returned: [Returned]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: returned, \.market, \.account, \.kind, \.currency, \.amount)
    }
}

struct ListEarnings: Statement {
    static let sql: SQL = """
        SELECT kind, currency, count, amount - returned, returned, tips FROM earnings
        WHERE market = $1 AND account = $2 ORDER BY kind, currency
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Earnings {
        Earnings(
            kind: try row.next(), currency: try row.next(), count: try row.next(), amount: try row.next(),
            returned: try row.next(), tips: try row.next())
    }
}
