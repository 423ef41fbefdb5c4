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

/// Adds what an order sold, once: in the transaction that completes it. In the order of the items, so that two orders of
/// the same ones wait for one another instead of locking up.
struct AddSales: Statement {
    static let sql: StaticString = """
        INSERT INTO restaurant_sales AS sales (restaurant, day, item, name, count, amount)
        SELECT $1, $2::text::date, sold.item, sold.name, sold.count, sold.amount
        FROM unnest($3::uuid[], $4::text[], $5::bigint[], $6::bigint[]) AS sold (item, name, count, amount)
        WHERE EXISTS (SELECT FROM restaurants WHERE id = $1)
        ORDER BY sold.item
        ON CONFLICT (restaurant, day, item) DO UPDATE SET name = excluded.name,
            count = sales.count + excluded.count, amount = sales.amount + excluded.amount
        """
    let restaurant: UUID
    let day: LocalDay
    /// Each item once.
    let items: [Order.Food.Item]
    func bind(_ bindings: inout Bindings) {
        bindings.append(restaurant)
        bindings.append(day.text)
        bindings.append(items.map(\.item))
        bindings.append(items.map(\.name))
        bindings.append(items.map(\.count))
        bindings.append(items.map { $0.count * $0.price })
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
