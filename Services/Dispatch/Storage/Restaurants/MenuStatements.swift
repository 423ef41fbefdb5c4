import Foundation
import Postgres

/// Unless there are as many as there may be. Under the restaurant's lock.
struct InsertMenuItem: Statement {
    static let sql: StaticString = """
        INSERT INTO menu_items (id, restaurant, name, arabic_name, price, ingredients, picture, currency)
        SELECT $1, $2, $3, $4, $5, $6, $7, $9::text
        WHERE (SELECT count(*) FROM menu_items WHERE restaurant = $2) < $8
        """
    let item: MenuItem
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(item.id)
        bindings.append(restaurant)
        bindings.append(item.name)
        bindings.append(item.arabicName)
        bindings.append(item.price)
        bindings.append(item.ingredients)
        bindings.append(item.picture)
        bindings.append(Restaurant.maximumItems)
        bindings.append(item.currency)
    }
}

struct UpdateMenuItem: Statement {
    static let sql: StaticString = """
        UPDATE menu_items SET name = $3, arabic_name = $4, price = $5, ingredients = $6, picture = $7,
            currency = $8
        WHERE id = $1 AND restaurant = $2
        """
    let item: MenuItem
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(item.id)
        bindings.append(restaurant)
        bindings.append(item.name)
        bindings.append(item.arabicName)
        bindings.append(item.price)
        bindings.append(item.ingredients)
        bindings.append(item.picture)
        bindings.append(item.currency)
    }
}

struct DeleteMenuItem: Statement {
    static let sql: StaticString = "DELETE FROM menu_items WHERE id = $1 AND restaurant = $2"
    let item: UUID
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(item)
        bindings.append(restaurant)
    }
}

/// Where nothing can be ordered any more, nobody is sent.
struct CloseWithoutItems: Statement {
    static let sql: StaticString = """
        UPDATE restaurants SET is_open = false
        WHERE id = $1 AND is_open AND NOT EXISTS (SELECT FROM menu_items WHERE restaurant = $1)
        """
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
}

/// In the order in which they were added.
struct ListMenu: Statement {
    static let sql: StaticString = """
        SELECT id, name, arabic_name, price, ingredients, picture, currency FROM menu_items WHERE restaurant = $1
        ORDER BY id LIMIT 300
        """
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MenuItem {
        MenuItem(
            id: try row.next(), name: try row.next(), arabicName: try row.next(), price: try row.next(),
            ingredients: try row.next(), picture: try row.next(), currency: try row.next())
    }
}

/// Adds what orders sold, once: in the transaction that completes them. In one order of the rows, so that two orders of the
/// same items wait for one another instead of locking up; see ``OrderSums``.
struct AddSales: Statement {
    /// By one order.
    struct Sale: Sendable {
        let restaurant: UUID
        let day: LocalDay
        /// ISO 4217.
        let currency: String
        let items: [Order.Food.Item]
    }

    static let sql: StaticString = """
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
        bindings.append(sold.map(\.restaurant))
        bindings.append(sold.map(\.day.text))
        bindings.append(sold.map(\.item.item))
        bindings.append(sold.map(\.item.name))
        bindings.append(sold.map(\.item.count))
        bindings.append(sold.map { $0.item.count * $0.item.price })
        bindings.append(sold.map(\.currency))
    }
}

struct SalesRow: Sendable, Equatable {
    let day: String
    let item: UUID
    let name: String
    let count: Int
    let amount: Int
}

/// What was sold in one currency, by day, the newest first, and item.
struct ListSales: Statement {
    static let sql: StaticString = """
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
        bindings.append(restaurant)
        bindings.append(first.text)
        bindings.append(last.text)
        bindings.append(limit)
        bindings.append(currency.code)
        bindings.append(currency.first)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SalesRow {
        SalesRow(
            day: try row.next(), item: try row.next(), name: try row.next(), count: try row.next(),
            amount: try row.next())
    }
}
