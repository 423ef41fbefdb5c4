import Contracts
import Foundation
import Postgres

/// Stores orders, at most one change each. A snapshot replaces only an older one, an acceptance only an earlier one;
/// the end is set once. Rows without a change are not touched.
struct StoreOrders: Statement {
    static let sql: SQL = """
        INSERT INTO orders AS o (
            id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot,
            accepted_version)
        SELECT id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot,
            accepted_version
        FROM unnest(
            $1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::uuid[], $6::uuid[], $7::timestamptz[],
            $8::timestamptz[], $9::timestamptz[], $10::text[], $11::jsonb[], $12::bigint[]
        ) AS told (
            id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot,
            accepted_version)
        ORDER BY id
        ON CONFLICT (id) DO UPDATE SET
            version = greatest(o.version, excluded.version),
            state = CASE WHEN o.version < excluded.version THEN excluded.state ELSE o.state END,
            provider = CASE WHEN o.version < excluded.version THEN excluded.provider ELSE o.provider END,
            snapshot = CASE WHEN o.version < excluded.version THEN excluded.snapshot ELSE o.snapshot END,
            accepted_at = CASE WHEN coalesce(o.accepted_version, 0) < excluded.accepted_version
                THEN excluded.accepted_at ELSE o.accepted_at END,
            companion = CASE WHEN coalesce(o.accepted_version, 0) < excluded.accepted_version
                THEN excluded.companion ELSE o.companion END,
            accepted_version = greatest(o.accepted_version, excluded.accepted_version),
            ended_at = coalesce(o.ended_at, excluded.ended_at)
        WHERE o.version < excluded.version
            OR coalesce(o.accepted_version, 0) < excluded.accepted_version
            OR (o.ended_at IS NULL AND excluded.ended_at IS NOT NULL)
        """
    let orders: [OrderChange]
    /// The newest snapshots, encoded.
    let snapshots: [PostgresJSON]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: orders, \.first.order, \.first.market, \.newest.version, \.newest.state.rawValue,
            \.first.customer.account)
        bindings.append(
            orders.map(\.newest.provider?.account), orders.map(\.first.requestedAt), orders.map(\.acceptance?.at),
            orders.map(\.endedAt), orders.map(\.acceptance?.companion), snapshots, orders.map(\.acceptance?.version))
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
    /// The provider who lost the order by this event.
    var former: UUID?
}

struct InsertOrderEvents: Statement {
    static let sql: SQL = """
        INSERT INTO order_events (order_id, message, at, name, state, version, actor, reason, former)
        SELECT order_id, message, at, name, state, version, actor, reason, former
        FROM unnest(
            $1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[],
            $9::uuid[]
        ) AS told (order_id, message, at, name, state, version, actor, reason, former)
        ORDER BY order_id, message
        ON CONFLICT (order_id, message) DO NOTHING
        """
    struct Entry: Sendable {
        let order: UUID
        let event: OrderEventRow
    }

    let entries: [Entry]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: entries, \.order, \.event.message, \.event.at, \.event.name, \.event.state, \.event.version,
            \.event.actor, \.event.reason, \.event.former)
    }
}

struct ListOrderEvents: Statement {
    static let sql: SQL = """
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

/// A party's rating of another party.
struct RatingRow: Sendable, Hashable {
    let actor: String
    let from: UUID
    let to: UUID
    let stars: Int
    let serviceStars: Int?
    let comment: String?
    let at: Date
}

/// Inserts ratings; if a party's rating of an order arrives twice, the first one stays.
struct InsertRatings: Statement {
    static let sql: SQL = """
        INSERT INTO ratings (order_id, actor, market, from_account, to_account, stars, service_stars, comment, at)
        SELECT order_id, actor, market, from_account, to_account, stars, service_stars, comment, at
        FROM unnest(
            $1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::integer[], $7::integer[], $8::text[],
            $9::timestamptz[]
        ) WITH ORDINALITY AS told (
            order_id, actor, market, from_account, to_account, stars, service_stars, comment, at, place)
        ORDER BY order_id, actor, place
        ON CONFLICT (order_id, actor) DO NOTHING
        """
    let ratings: [RatingGiven]
    func bind(_ bindings: inout Bindings) {
        let serviceStars: [Int32?] = ratings.map { rating in rating.serviceStars.map { Int32(clamping: $0) } }
        bindings.append(columnsOf: ratings, \.order, \.by.rawValue, \.market, \.from, \.to)
        bindings.append(ratings.map { Int32(clamping: $0.stars) }, serviceStars)
        bindings.append(columnsOf: ratings, \.comment, \.at)
    }
}

struct ListRatings: Statement {
    static let sql: SQL = """
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
    static let sql: SQL = "SELECT snapshot, companion, requested_at, id FROM orders WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}
