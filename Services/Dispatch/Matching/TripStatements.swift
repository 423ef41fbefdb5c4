import Foundation
import Matching
import Postgres
import SeraiJSON

/// Locks several providers until the commit, without waiting; providers that another transaction has locked are left
/// out. A courier's trip is changed only under this lock; later statements see what other transactions did before.
struct TryLockProviders: Statement {
    static let sql: SQL = """
        SELECT account FROM providers WHERE account = ANY ($1) ORDER BY account FOR UPDATE SKIP LOCKED
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Reads couriers who may be asked for meals, with what each one holds. They must be available, verified, not banned,
/// subscribed where needed and never asked for that meal before.
struct ReadCouriers: Statement {
    struct Row: Sendable {
        let order: UUID
        let provider: UUID
        let name: String
        let isFree: Bool
        let restaurants: [UUID]
        /// Number of held meals.
        let count: Int
        let hasLeft: Bool
    }

    static let sql: SQL = """
        SELECT asked.order_id, asked.account, person.name, provider.current_order IS NULL,
            coalesce(trip.restaurants, '{}'), coalesce(trip.count, 0), coalesce(trip.has_left, false)
        FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS asked (order_id, account, number)
        JOIN providers AS provider ON provider.account = asked.account
        JOIN provider_roles AS role ON role.market = $1 AND role.account = asked.account AND NOT role.sells
            AND role.verified AND role.available AND NOT is_banned(asked.account, $1)
        JOIN people AS person ON person.account = asked.account
        CROSS JOIN LATERAL (
            SELECT array_agg(DISTINCT restaurant) AS restaurants, count(*) AS count, bool_or(handed_over) AS has_left
            FROM courier_trips WHERE courier_trips.provider = asked.account
        ) AS trip
        WHERE NOT EXISTS (
                SELECT FROM offers WHERE offers.order_id = asked.order_id AND offers.provider = asked.account)
            AND (NOT $4 OR EXISTS (
                SELECT FROM provider_subscriptions AS subscription
                WHERE subscription.market = $1 AND subscription.account = asked.account
                    AND subscription.ends_at > now()))
        ORDER BY asked.number
        """
    let market: String
    /// The caller holds the locks of all these orders.
    let pairs: [(order: UUID, provider: UUID)]
    let needsSubscription: Bool
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(columnsOf: pairs, \.order, \.provider)
        bindings.append(needsSubscription)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            order: try row.next(), provider: try row.next(), name: try row.next(), isFree: try row.next(),
            restaurants: try row.next(), count: try row.next(), hasLeft: try row.next())
    }
}

/// Makes a free courier hold an order. The caller holds the provider's lock.
struct HoldProvider: Statement {
    static let sql: SQL =
        "UPDATE providers SET current_order = $2 WHERE account = $1 AND current_order IS NULL"
    let provider: UUID
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order) }
}

/// Adds a meal to its courier's trip. The caller holds the locks of order and provider.
struct JoinTrip: Statement {
    static let sql: SQL = """
        INSERT INTO courier_trips (order_id, provider, restaurant) VALUES ($1, $2, $3)
        ON CONFLICT (order_id) DO UPDATE SET provider = excluded.provider, restaurant = excluded.restaurant,
            handed_over = false, joined_at = excluded.joined_at
        """
    let order: UUID
    let provider: UUID
    let restaurant: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order, provider, restaurant) }
}

/// Marks a meal as picked up. The caller holds the provider's lock, so no meal is being added at this moment.
struct HandOverTrip: Statement {
    static let sql: SQL = "UPDATE courier_trips SET handed_over = true WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Removes a meal from its courier's trip. The courier then holds another meal of the trip, or is free after the last
/// one. The caller holds the provider's lock.
struct LeaveTrip: Statement {
    static let sql: SQL = """
        WITH gone AS (DELETE FROM courier_trips WHERE order_id = $2 AND provider = $1 RETURNING order_id)
        UPDATE providers SET
            current_order = CASE WHEN current_order = $2 THEN (
                SELECT trip.order_id FROM courier_trips AS trip WHERE trip.provider = $1 AND trip.order_id <> $2
                ORDER BY trip.joined_at, trip.order_id LIMIT 1
            ) ELSE current_order END,
            free_since = CASE WHEN $3 THEN now() ELSE free_since END
        WHERE account = $1 AND (current_order = $2 OR EXISTS (SELECT FROM gone))
        """
    let provider: UUID
    let order: UUID
    /// False if the courier was only asked: the waiting time then continues.
    let hadWork: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order, hadWork) }
}

/// The data of a meal that rounds use.
struct MealRow: Sendable {
    let id: UUID
    let placedAt: Date
    let place: GeoPoint
    let destination: GeoPoint?
    let particulars: PostgresJSON?

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        placedAt = try row.next()
        place = GeoPoint(latitude: try row.next(), longitude: try row.next())
        let (latitude, longitude): (Double?, Double?) = (try row.next(), try row.next())
        if let latitude, let longitude {
            destination = GeoPoint(latitude: latitude, longitude: longitude)
        } else {
            destination = nil
        }
        particulars = try row.next()
    }

    /// Nil if the order is no meal.
    func meal() throws -> MealRound.Meal? {
        guard let destination, let particulars,
            case .food(let food) = try JSON.stored.decode(Order.Particulars.self, particulars.text)
        else { return nil }
        return MealRound.Meal(
            id: id, restaurant: food.restaurant, placedAt: Int(placedAt.timeIntervalSince1970),
            readyAt: Int((food.readyAt ?? placedAt).timeIntervalSince1970.rounded(.up)), from: place, to: destination)
    }
}

struct ListMeals: Statement {
    static let sql: SQL = """
        SELECT id, requested_at, latitude, longitude, destination_latitude, destination_longitude, particulars
        FROM orders WHERE id = ANY ($1)
        """
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MealRow { try MealRow(&row) }
}

/// Lists the meals that couriers hold, in the sequence in which they were added.
struct ListTrips: Statement {
    struct Row: Sendable {
        let provider: UUID
        let isHandedOver: Bool
        let state: String
        let meal: MealRow
    }

    static let sql: SQL = """
        SELECT trip.provider, trip.handed_over, orders.state, orders.id, orders.requested_at, orders.latitude,
            orders.longitude, orders.destination_latitude, orders.destination_longitude, orders.particulars
        FROM courier_trips AS trip JOIN orders ON orders.id = trip.order_id
        WHERE trip.provider = ANY ($1)
        ORDER BY trip.provider, trip.joined_at, trip.order_id
        """
    let providers: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(providers) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            provider: try row.next(), isHandedOver: try row.next(), state: try row.next(), meal: try MealRow(&row))
    }
}
