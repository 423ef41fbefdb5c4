import Foundation
import Postgres

/// Unless there are as many as there may be. Under the restaurant's lock.
struct InsertMenuItem: Statement {
    static let sql: StaticString = """
        INSERT INTO menu_items (id, restaurant, name, arabic_name, price, ingredients, picture)
        SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM menu_items WHERE restaurant = $2) < $8
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
    }
}

struct UpdateMenuItem: Statement {
    static let sql: StaticString = """
        UPDATE menu_items SET name = $3, arabic_name = $4, price = $5, ingredients = $6, picture = $7
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
        SELECT id, name, arabic_name, price, ingredients, picture FROM menu_items WHERE restaurant = $1 ORDER BY id
        LIMIT 300
        """
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MenuItem {
        MenuItem(
            id: try row.next(), name: try row.next(), arabicName: try row.next(), price: try row.next(),
            ingredients: try row.next(), picture: try row.next())
    }
}

/// Adds what orders sold, once: in the transaction that completes them. In one order of the rows, so that two orders of the
/// same items wait for one another instead of locking up; see ``OrderSums``.
struct AddSales: Statement {
    /// By one order.
    struct Sale: Sendable {
        let restaurant: UUID
        let day: LocalDay
        let items: [Order.Food.Item]
    }

    static let sql: StaticString = """
        INSERT INTO restaurant_sales AS sales (restaurant, day, item, name, count, amount)
        SELECT sold.restaurant, sold.day::date, sold.item, (array_agg(sold.name ORDER BY sold.place DESC))[1],
            sum(sold.count)::bigint, sum(sold.amount)::bigint
        FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY
            AS sold (restaurant, day, item, name, count, amount, place)
        WHERE EXISTS (SELECT FROM restaurants WHERE id = sold.restaurant)
        GROUP BY sold.restaurant, sold.day, sold.item
        ORDER BY sold.restaurant, sold.day, sold.item
        ON CONFLICT (restaurant, day, item) DO UPDATE SET name = excluded.name,
            count = sales.count + excluded.count, amount = sales.amount + excluded.amount
        """
    let sales: [Sale]
    func bind(_ bindings: inout Bindings) {
        let sold = sales.flatMap { sale in sale.items.map { (restaurant: sale.restaurant, day: sale.day, item: $0) } }
        bindings.append(sold.map(\.restaurant))
        bindings.append(sold.map(\.day.text))
        bindings.append(sold.map(\.item.item))
        bindings.append(sold.map(\.item.name))
        bindings.append(sold.map(\.item.count))
        bindings.append(sold.map { $0.item.count * $0.item.price })
    }
}

struct SalesRow: Sendable, Equatable {
    let day: String
    let item: UUID
    let name: String
    let count: Int
    let amount: Int
}

/// By day, the newest first, and item.
struct ListSales: Statement {
    static let sql: StaticString = """
        SELECT to_char(day, 'YYYY-MM-DD'), item, name, count, amount FROM restaurant_sales
        WHERE restaurant = $1 AND day BETWEEN $2::text::date AND $3::text::date
        ORDER BY day DESC, amount DESC, item LIMIT $4
        """
    let restaurant: UUID
    let first: LocalDay
    let last: LocalDay
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(restaurant)
        bindings.append(first.text)
        bindings.append(last.text)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SalesRow {
        SalesRow(
            day: try row.next(), item: try row.next(), name: try row.next(), count: try row.next(),
            amount: try row.next())
    }
}
