import Foundation
import Postgres

/// A restaurant as the market's admins see it.
struct Merchant: Sendable {
    /// What its owner and the admins have made of it. An admin's word stands over the owner's.
    enum State: String, Sendable, CaseIterable {
        /// Takes orders.
        case open
        /// Its owner has closed it.
        case closed
        case closedByAdmin
        /// Its owner's papers are not verified, or not any more.
        case unverified
    }

    let restaurant: Restaurant
    let closedReason: String?
    let ownerName: String
    let isVerified: Bool
    let isBanned: Bool
    let items: Int
    let standing: OrderDetails.Standing

    static let columns: SQL = """
        restaurants.id, restaurants.market, restaurants.owner, restaurants.name, restaurants.arabic_name,
        restaurants.description, restaurants.latitude, restaurants.longitude, restaurants.preparation_minutes,
        restaurants.is_open, restaurants.changed_at, restaurants.address, restaurants.phone, restaurants.picture,
        restaurants.hours, restaurants.closed_reason, coalesce(people.name, ''), coalesce(role.verified, false),
        is_banned(restaurants.owner, restaurants.market),
        (SELECT count(*) FROM menu_items WHERE restaurant = restaurants.id),
        coalesce(sums.stars, 0), coalesce(sums.count, 0)
        """
    static let tables: SQL = """
        restaurants LEFT JOIN people ON people.account = restaurants.owner
        LEFT JOIN provider_roles AS role ON role.market = restaurants.market AND role.account = restaurants.owner
            AND role.title = 'restaurant'
        LEFT JOIN rating_sums AS sums ON sums.market = restaurants.market AND sums.account = restaurants.owner
            AND sums.role = 'merchant'
        """
    init(_ row: inout RowReader) throws(PostgresError) {
        restaurant = try Restaurant(&row)
        closedReason = try row.next()
        ownerName = try row.next()
        isVerified = try row.next()
        isBanned = try row.next()
        items = try row.next()
        standing = OrderDetails.Standing(stars: try row.next(), count: try row.next())
    }

    var state: State {
        if restaurant.isOpen { return .open }
        if closedReason != nil { return .closedByAdmin }
        return isVerified ? .closed : .unverified
    }
}

/// Lists all restaurants of a market, the newest first: the closed and the unverified ones, too. There are few in a market.
struct ListMerchants: Statement {
    static let sql: SQL = """
        SELECT \(Merchant.columns) FROM \(Merchant.tables)
        WHERE restaurants.market = $1 AND ($2::uuid IS NULL OR restaurants.id < $2)
            AND ($3::text IS NULL OR position($3 IN restaurants.search_name) > 0)
            AND ($4::bool IS NULL OR restaurants.is_open = $4)
            AND ($5::bool IS NULL OR (restaurants.closed_reason IS NOT NULL) = $5)
            AND ($6::bool IS NULL OR coalesce(role.verified, false) = $6)
        ORDER BY restaurants.id DESC LIMIT $7
        """
    let market: String
    let after: UUID?
    /// A folded part of the name.
    let name: String?
    let state: Merchant.State?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, after, name)
        // As ``Merchant/state`` decides: each after those before it.
        bindings.append(
            state.map { $0 == .open }, state.flatMap { $0 == .open ? nil : $0 == .closedByAdmin },
            state.flatMap { [.open, .closedByAdmin].contains($0) ? nil : $0 == .closed })
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Merchant { try Merchant(&row) }
}

struct FindMerchant: Statement {
    static let sql: SQL = """
        SELECT \(Merchant.columns) FROM \(Merchant.tables) WHERE restaurants.id = $1 AND restaurants.market = $2
        """
    let restaurant: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Merchant { try Merchant(&row) }
}

/// Locks a market's restaurant until the transaction ends.
struct LockMerchant: Statement {
    static let sql: SQL = "SELECT FROM restaurants WHERE id = $1 AND market = $2 FOR UPDATE"
    let restaurant: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, market) }
}

/// Reads why an admin has closed a restaurant; one row, null where no admin has.
struct FindClosedReason: Statement {
    static let sql: SQL = "SELECT closed_reason FROM restaurants WHERE id = $1"
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String? { try row.next() }
}

/// Opens or closes a restaurant by an admin's word.
struct StoreMerchantState: Statement {
    static let sql: SQL = "UPDATE restaurants SET is_open = $2, closed_reason = $3, changed_at = $4 WHERE id = $1"
    let restaurant: UUID
    let isOpen: Bool
    let closedReason: String?
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, isOpen, closedReason, now) }
}

/// Counts a restaurant's completed orders by day of the market's zone. Orders past the market's retention are gone; the sums
/// of sales stay.
struct CountSoldOrders: Statement {
    static let sql: SQL = """
        SELECT to_char((coalesce(ended_at, changed_at) AT TIME ZONE $6::text)::date, 'YYYY-MM-DD'), count(*) FROM orders
        WHERE merchant = $1 AND is_final AND id > $3 AND market = $2 AND state = 'completed' AND currency = $7
            AND (coalesce(ended_at, changed_at) AT TIME ZONE $6::text)::date BETWEEN $4::text::date AND $5::text::date
        GROUP BY 1
        """
    let restaurant: Restaurant
    /// An order is completed within days after it was made.
    let since: UUID
    let first: LocalDay
    let last: LocalDay
    let timeZone: String
    let currency: String
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            restaurant.owner, restaurant.market, since, first.text, last.text, timeZone, currency)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (day: String, count: Int) {
        (try row.next(), try row.next())
    }
}
