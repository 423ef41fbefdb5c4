import Contracts
import Foundation
import Postgres

/// Touches no row when what is known of the order is as new or newer.
struct StoreOrder: Statement {
    static let sql: StaticString = """
        INSERT INTO orders (id, market, version, state, customer, provider, requested_at, snapshot)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, state = excluded.state, provider = excluded.provider,
            snapshot = excluded.snapshot
        WHERE orders.version < excluded.version
        """
    let order: OrderSnapshot
    let snapshot: PostgresJSON
    func bind(_ bindings: inout Bindings) {
        bindings.append(order.order)
        bindings.append(order.market)
        bindings.append(order.version)
        bindings.append(order.state.rawValue)
        bindings.append(order.customer.account)
        bindings.append(order.provider?.account)
        bindings.append(order.requestedAt)
        bindings.append(snapshot)
    }
}

/// What only one event of an order tells, whenever it comes: when it was accepted, with whom, and when it ended.
struct SetOrderMoments: Statement {
    static let sql: StaticString = """
        UPDATE orders
        SET accepted_at = coalesce(accepted_at, $2), ended_at = coalesce(ended_at, $3),
            companion = coalesce(companion, $4)
        WHERE id = $1
        """
    let order: UUID
    var acceptedAt: Date?
    var endedAt: Date?
    var companion: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
        bindings.append(acceptedAt)
        bindings.append(endedAt)
        bindings.append(companion)
    }
}

/// An entry of an order's timeline.
struct OrderEventRow: Sendable, Hashable {
    let message: UUID
    let at: Date
    /// The message's name on the wire.
    let name: String
    let state: String?
    let version: Int?
    let actor: String?
    let reason: String?
}

struct InsertOrderEvent: Statement {
    static let sql: StaticString = """
        INSERT INTO order_events (order_id, message, at, name, state, version, actor, reason)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (order_id, message) DO NOTHING
        """
    let order: UUID
    let event: OrderEventRow
    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
        bindings.append(event.message)
        bindings.append(event.at)
        bindings.append(event.name)
        bindings.append(event.state)
        bindings.append(event.version)
        bindings.append(event.actor)
        bindings.append(event.reason)
    }
}

struct ListOrderEvents: Statement {
    static let sql: StaticString = """
        SELECT message, at, name, state, version, actor, reason FROM order_events
        WHERE order_id = $1 ORDER BY at, message LIMIT 500
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderEventRow {
        OrderEventRow(
            message: try row.next(), at: try row.next(), name: try row.next(), state: try row.next(),
            version: try row.next(), actor: try row.next(), reason: try row.next())
    }
}

/// A party's word about the other.
struct RatingRow: Sendable, Hashable {
    let actor: String
    let from: UUID
    let to: UUID
    let stars: Int
    let serviceStars: Int?
    let comment: String?
    let at: Date
}

struct InsertRating: Statement {
    static let sql: StaticString = """
        INSERT INTO ratings (order_id, actor, market, from_account, to_account, stars, service_stars, comment, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (order_id, actor) DO NOTHING
        """
    let order: UUID
    let market: String
    let rating: RatingRow
    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
        bindings.append(rating.actor)
        bindings.append(market)
        bindings.append(rating.from)
        bindings.append(rating.to)
        bindings.append(Int32(clamping: rating.stars))
        bindings.append(rating.serviceStars.map { Int32(clamping: $0) })
        bindings.append(rating.comment)
        bindings.append(rating.at)
    }
}

struct ListRatings: Statement {
    static let sql: StaticString = """
        SELECT actor, from_account, to_account, stars, service_stars, comment, at FROM ratings WHERE order_id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RatingRow {
        RatingRow(
            actor: try row.next(), from: try row.next(), to: try row.next(), stars: try row.next(),
            serviceStars: try row.next(), comment: try row.next(), at: try row.next())
    }
}

struct ShowOrder: Statement {
    static let sql: StaticString = "SELECT snapshot, companion, requested_at, id FROM orders WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}
