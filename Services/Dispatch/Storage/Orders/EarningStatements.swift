import Foundation
import Postgres

/// What somebody has earned with one kind of order in a market.
struct Earnings: Sendable, Hashable {
    let kind: String
    let currency: String
    /// Orders that were paid out.
    let count: Int
    /// Minor units, after the platform's share.
    let amount: Int
}

struct AddEarnings: Statement {
    static let sql: StaticString = """
        INSERT INTO earnings (market, account, kind, currency, count, amount) VALUES ($1, $2, $3, $4, 1, $5)
        ON CONFLICT (market, account, kind, currency) DO UPDATE
        SET count = earnings.count + 1, amount = earnings.amount + excluded.amount
        """
    let market: String
    let account: UUID
    let kind: String
    let currency: String
    let amount: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(account)
        bindings.append(kind)
        bindings.append(currency)
        bindings.append(amount)
    }
}

struct ListEarnings: Statement {
    static let sql: StaticString = """
        SELECT kind, currency, count, amount FROM earnings WHERE market = $1 AND account = $2 ORDER BY kind, currency
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(account)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Earnings {
        Earnings(kind: try row.next(), currency: try row.next(), count: try row.next(), amount: try row.next())
    }
}
