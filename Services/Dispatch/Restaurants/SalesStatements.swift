import Foundation
import Postgres

/// Adds the sales of orders to the restaurants' sums, once: in the transaction that completes the orders. The rows are
/// written in one fixed order, so that concurrent calls wait for each other instead of deadlocking; see ``OrderSums``.
struct AddSales: Statement {
    /// The sales of one order.
    struct Sale: Sendable {
        let restaurant: UUID
        let day: LocalDay
        /// ISO 4217.
        let currency: String
        let items: [Order.Food.Item]
    }

    static let sql: SQL = """
        INSERT INTO restaurant_takings AS sales (restaurant, day, item, currency, name, count, amount)
        SELECT sold.restaurant, sold.day::date, sold.item, sold.currency,
            (array_agg(sold.name ORDER BY sold.place DESC))[1],
            sum(sold.count)::bigint, sum(sold.amount)::bigint
        FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::text[])
            WITH ORDINALITY AS sold (restaurant, day, item, name, count, amount, currency, place)
        WHERE EXISTS (SELECT FROM restaurants WHERE id = sold.restaurant)
        GROUP BY sold.restaurant, sold.day, sold.item, sold.currency
        ORDER BY sold.restaurant, sold.day, sold.item, sold.currency
        ON CONFLICT (restaurant, day, item, currency) DO UPDATE SET name = excluded.name,
            count = sales.count + excluded.count, amount = sales.amount + excluded.amount
        """
    let sales: [Sale]
    func bind(_ bindings: inout Bindings) {
        let sold = sales.flatMap { sale in
            sale.items.map { (restaurant: sale.restaurant, day: sale.day, currency: sale.currency, item: $0) }
        }
        bindings.append(columnsOf: sold, \.restaurant, \.day.text, \.item.item, \.item.name, \.item.count)
        bindings.append(sold.map { $0.item.count * $0.item.price }, sold.map(\.currency))
    }
}

struct SalesRow: Sendable, Equatable {
    let day: String
    let item: UUID
    let name: String
    let count: Int
    let amount: Int
}

/// Lists the sales in one currency by day, newest first, and item.
struct ListSales: Statement {
    static let sql: SQL = """
        SELECT to_char(sold.day, 'YYYY-MM-DD'), sold.item, (array_agg(sold.name ORDER BY sold.place DESC))[1],
            sum(sold.count)::bigint, sum(sold.amount)::bigint
        FROM (
            SELECT day, item, name, count, amount, 2 AS place FROM restaurant_takings
            WHERE restaurant = $1 AND day BETWEEN $2::text::date AND $3::text::date AND currency = $5
            UNION ALL
            SELECT day, item, name, count, amount, 1 FROM restaurant_sales
            WHERE restaurant = $1 AND day BETWEEN $2::text::date AND $3::text::date AND $5::text = $6::text
        ) AS sold
        GROUP BY sold.day, sold.item
        ORDER BY sold.day DESC, sum(sold.amount) DESC, sold.item LIMIT $4
        """
    let restaurant: UUID
    let currency: PriceCurrency
    let first: LocalDay
    let last: LocalDay
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(restaurant, first.text, last.text, limit, currency.code, currency.first)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SalesRow {
        SalesRow(
            day: try row.next(), item: try row.next(), name: try row.next(), count: try row.next(),
            amount: try row.next())
    }
}

/// Adds the refunds of orders to the restaurants' sums, in one fixed order of rows; see ``OrderSums``.
struct AddReturns: Statement {
    /// The refund of one order.
    struct Return: Sendable {
        let restaurant: UUID
        /// The day of the sale.
        let day: LocalDay
        /// ISO 4217.
        let currency: String
        /// In minor units, before the platform's commission.
        let amount: Int
    }

    static let sql: SQL = """
        INSERT INTO restaurant_returns AS returns (restaurant, day, currency, amount)
        SELECT given.restaurant, given.day::date, given.currency, sum(given.amount)::bigint
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS given (restaurant, day, currency, amount)
        WHERE EXISTS (SELECT FROM restaurants WHERE id = given.restaurant)
        GROUP BY given.restaurant, given.day, given.currency
        ORDER BY given.restaurant, given.day, given.currency
        ON CONFLICT (restaurant, day, currency) DO UPDATE SET amount = returns.amount + excluded.amount
        """
    let returns: [Return]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: returns, \.restaurant, \.day.text, \.currency, \.amount)
    }
}

/// Lists the refunds in one currency by day of the sale.
struct ListReturns: Statement {
    struct Row: Sendable, Equatable {
        let day: String
        /// In minor units.
        let amount: Int
    }

    static let sql: SQL = """
        SELECT to_char(day, 'YYYY-MM-DD'), amount FROM restaurant_returns
        WHERE restaurant = $1 AND day BETWEEN $2::text::date AND $3::text::date AND currency = $4 ORDER BY day
        """
    let restaurant: UUID
    let currency: PriceCurrency
    let first: LocalDay
    let last: LocalDay
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, first.text, last.text, currency.code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(day: try row.next(), amount: try row.next())
    }
}
