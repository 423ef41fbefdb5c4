import Foundation
import Postgres
import SeraiJSON

/// Reads whether an account's role as a restaurant of a market is verified, and locks its row until the transaction
/// ends; no row without such a role.
struct LockRestaurantRole: Statement {
    static let sql: SQL = """
        SELECT verified FROM provider_roles WHERE market = $1 AND account = $2 AND title = 'restaurant' FOR SHARE
        """
    let market: String
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, owner) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Creates an owner's restaurant in a market or changes its card.
struct StoreRestaurant: Statement {
    static let sql: SQL = """
        INSERT INTO restaurants (
            id, market, owner, name, arabic_name, search_name, description, latitude, longitude, preparation_minutes,
            changed_at, address, phone, picture, hours)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (market, owner) DO UPDATE SET name = excluded.name, arabic_name = excluded.arabic_name,
            search_name = excluded.search_name, description = excluded.description, latitude = excluded.latitude,
            longitude = excluded.longitude, preparation_minutes = excluded.preparation_minutes,
            changed_at = excluded.changed_at, address = excluded.address, phone = excluded.phone,
            picture = excluded.picture, hours = excluded.hours
        """
    let id: UUID
    let market: String
    let owner: UUID
    let card: Restaurant.Card
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, market, owner, card.name, card.arabicName, card.searchName, card.description, card.latitude,
            card.longitude, card.preparationMinutes, now, card.address, card.phone, card.picture, card.hours?.stored)
    }
}

extension Restaurant {
    init(_ row: inout RowReader) throws(PostgresError) {
        let (id, market, owner): (UUID, String, UUID) = (try row.next(), try row.next(), try row.next())
        var card = Card(
            name: try row.next(), arabicName: try row.next(), description: try row.next(), latitude: try row.next(),
            longitude: try row.next(), preparationMinutes: try row.next())
        let (isOpen, changedAt): (Bool, Date) = (try row.next(), try row.next())
        (card.address, card.phone, card.picture) = (try row.next(), try row.next(), try row.next())
        card.hours = try row.next(PostgresJSON?.self).flatMap(RestaurantHours.init(stored:))
        self.init(id: id, market: market, owner: owner, card: card, isOpen: isOpen, changedAt: changedAt)
    }
}

extension RestaurantHours {
    /// Nil for what another version has written.
    init?(stored json: PostgresJSON) {
        // try?: such hours are not shown.
        guard let spans = try? JSON.stored.decode([Span].self, json.text) else { return nil }
        self.init(spans)
    }

    /// try?: numbers and words can always be written.
    var stored: PostgresJSON? { try? .encoding(spans) }
}

/// Finds the owner's restaurant and locks its row until the transaction ends.
struct LockOwnRestaurant: Statement {
    static let sql: SQL = """
        SELECT id, market, owner, name, arabic_name, description, latitude, longitude, preparation_minutes, is_open,
            changed_at, address, phone, picture, hours
        FROM restaurants WHERE market = $1 AND owner = $2 FOR UPDATE
        """
    let market: String
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, owner) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Restaurant { try Restaurant(&row) }
}

struct FindOwnRestaurant: Statement {
    static let sql: SQL = """
        SELECT id, market, owner, name, arabic_name, description, latitude, longitude, preparation_minutes, is_open,
            changed_at, address, phone, picture, hours
        FROM restaurants WHERE market = $1 AND owner = $2
        """
    let market: String
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, owner) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Restaurant { try Restaurant(&row) }
}

/// Finds a restaurant whose owner is still verified, open or closed.
struct FindRestaurant: Statement {
    static let sql: SQL = """
        SELECT restaurants.id, restaurants.market, owner, name, arabic_name, description, latitude, longitude,
            preparation_minutes, is_open, changed_at, address, phone, picture, hours
        FROM restaurants JOIN provider_roles AS role ON role.market = restaurants.market
            AND role.account = restaurants.owner AND role.title = 'restaurant' AND role.verified
        WHERE restaurants.id = $1
        """
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Restaurant { try Restaurant(&row) }
}

/// Finds a restaurant like ``FindRestaurant`` and locks it and its menu against changes until the transaction ends.
struct FindAndShareLockRestaurant: Statement {
    static let sql: SQL = """
        SELECT restaurants.id, restaurants.market, owner, name, arabic_name, description, latitude, longitude,
            preparation_minutes, is_open, changed_at, address, phone, picture, hours
        FROM restaurants JOIN provider_roles AS role ON role.market = restaurants.market
            AND role.account = restaurants.owner AND role.title = 'restaurant' AND role.verified
        WHERE restaurants.id = $1 FOR SHARE OF restaurants
        """
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Restaurant { try Restaurant(&row) }
}

/// Finds the stars that a restaurant was given.
struct FindRestaurantStars: Statement {
    static let sql: SQL = """
        SELECT stars, count FROM rating_sums WHERE market = $1 AND account = $2 AND role = 'merchant'
        """
    let restaurant: Restaurant
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant.market, restaurant.owner) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetails.Standing {
        OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }
}

/// Reads a photo that everybody sees: the restaurant's picture, or one of its menu.
struct ReadPublicPhoto: Statement {
    static let sql: SQL = """
        SELECT media_type, bytes FROM photos WHERE id = $2 AND (
            EXISTS (SELECT FROM restaurants WHERE id = $1 AND picture = $2)
            OR EXISTS (SELECT FROM menu_items WHERE restaurant = $1 AND picture = $2))
        """
    let restaurant: UUID
    let photo: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, photo) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ReadPhoto.Row { try ReadPhoto.decode(&row) }
}

struct SwitchRestaurant: Statement {
    static let sql: SQL = "UPDATE restaurants SET is_open = $2, changed_at = $3 WHERE id = $1"
    let restaurant: UUID
    let isOpen: Bool
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, isOpen, now) }
}

/// Closes all restaurants of an owner in a market, or in every market (`*`).
struct CloseRestaurants: Statement {
    static let sql: SQL = """
        UPDATE restaurants SET is_open = false WHERE owner = $1 AND (market = $2 OR $2 = '*') AND is_open
        """
    let owner: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(owner, market) }
}

/// Closes an owner's restaurants in the markets where he or she is no longer verified. Only the owner can open them
/// again.
struct CloseUnverifiedRestaurants: Statement {
    static let sql: SQL = """
        UPDATE restaurants SET is_open = false
        WHERE owner = $1 AND is_open AND NOT EXISTS (
            SELECT FROM provider_roles AS role
            WHERE role.market = restaurants.market AND role.account = $1 AND role.title = 'restaurant' AND role.verified)
        """
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(owner) }
}

/// Deletes the restaurants of a deleted account with their sales; the orders stay.
struct DeleteRestaurants: Statement {
    static let sql: SQL = "DELETE FROM restaurants WHERE owner = $1"
    let owner: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(owner) }
}

/// An open restaurant and its distance.
struct NearRestaurant: Sendable {
    let restaurant: Restaurant
    /// The straight-line distance.
    let metres: Double
    let stars: Int
    let ratings: Int
}

/// Lists the open restaurants around a place, nearest first.
struct ListOpenRestaurants: Statement {
    static let sql: SQL = """
        SELECT restaurants.id, restaurants.market, owner, name, arabic_name, description, latitude, longitude,
            preparation_minutes, is_open, changed_at, address, phone, picture, hours,
            ST_Distance(place, ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography),
            coalesce(sums.stars, 0), coalesce(sums.count, 0)
        FROM restaurants JOIN provider_roles AS role ON role.market = restaurants.market
            AND role.account = restaurants.owner AND role.title = 'restaurant' AND role.verified
        LEFT JOIN rating_sums AS sums ON sums.market = restaurants.market AND sums.account = restaurants.owner
            AND sums.role = 'merchant'
        WHERE is_open AND restaurants.market = $1
            AND ST_DWithin(place, ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography, $4)
            AND ($5 = '' OR position($5 IN search_name) > 0)
        ORDER BY place <-> ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography LIMIT $6
        """
    let market: String
    let latitude: Double
    let longitude: Double
    /// In metres.
    let radius: Double
    /// A folded part of the name; empty for any name.
    let name: String
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, latitude, longitude, radius, name, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> NearRestaurant {
        let restaurant = try Restaurant(&row)
        return NearRestaurant(
            restaurant: restaurant, metres: try row.next(), stars: try row.next(), ratings: try row.next())
    }
}
