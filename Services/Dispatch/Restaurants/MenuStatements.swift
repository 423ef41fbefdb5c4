import Foundation
import Postgres

/// Inserts an item unless the menu is full. The caller holds the restaurant's lock.
struct InsertMenuItem: Statement {
    static let sql: SQL = """
        INSERT INTO menu_items (id, restaurant, name, arabic_name, price, ingredients, picture, currency)
        SELECT $1, $2, $3, $4, $5, $6, $7, $9::text
        WHERE (SELECT count(*) FROM menu_items WHERE restaurant = $2) < $8
        """
    let item: MenuItem
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            item.id, restaurant, item.name, item.arabicName, item.price, item.ingredients, item.picture,
            Restaurant.maximumItems, item.currency)
    }
}

struct UpdateMenuItem: Statement {
    static let sql: SQL = """
        UPDATE menu_items SET name = $3, arabic_name = $4, price = $5, ingredients = $6, picture = $7,
            currency = $8
        WHERE id = $1 AND restaurant = $2
        """
    let item: MenuItem
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            item.id, restaurant, item.name, item.arabicName, item.price, item.ingredients, item.picture, item.currency)
    }
}

struct DeleteMenuItem: Statement {
    static let sql: SQL = "DELETE FROM menu_items WHERE id = $1 AND restaurant = $2"
    let item: UUID
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(item, restaurant) }
}

/// Closes a restaurant that has nothing on its menu in the market's currency.
struct CloseWithoutItems: Statement {
    static let sql: SQL = """
        UPDATE restaurants SET is_open = false
        WHERE id = $1 AND is_open
            AND NOT EXISTS (SELECT FROM menu_items WHERE restaurant = $1 AND coalesce(currency, $3) = $2)
        """
    let restaurant: UUID
    let currency: PriceCurrency
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, currency.code, currency.first) }
}

/// Closes a batch of a market's restaurants that have nothing on their menus in the market's currency.
struct CloseUnpricedRestaurants: Statement {
    static let sql: SQL = """
        UPDATE restaurants SET is_open = false
        WHERE id IN (
            SELECT id FROM restaurants
            WHERE market = $1 AND is_open AND NOT EXISTS (
                SELECT FROM menu_items WHERE restaurant = restaurants.id AND coalesce(currency, $3) = $2)
            ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let currency: PriceCurrency
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, currency.code, currency.first, limit) }
}

/// Lists the menu in the order in which the items were added.
struct ListMenu: Statement {
    static let sql: SQL = """
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
