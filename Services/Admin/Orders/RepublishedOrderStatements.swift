import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Stores republished orders. A row of the same or an older version is replaced as a whole; in a newer row only missing
/// values are filled in.
struct UpsertRepublishedOrders: Statement {
    static let sql: SQL = """
        INSERT INTO orders AS o (
            id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot,
            accepted_version)
        SELECT id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot,
            CASE WHEN accepted_at IS NOT NULL THEN version END
        FROM unnest(
            $1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::uuid[], $6::uuid[], $7::timestamptz[],
            $8::timestamptz[], $9::timestamptz[], $10::text[], $11::jsonb[]
        ) AS told (
            id, market, version, state, customer, provider, requested_at, accepted_at, ended_at, companion, snapshot)
        ORDER BY id
        ON CONFLICT (id) DO UPDATE SET
            market = excluded.market, customer = excluded.customer, requested_at = excluded.requested_at,
            version = greatest(o.version, excluded.version),
            state = CASE WHEN o.version <= excluded.version THEN excluded.state ELSE o.state END,
            provider = CASE WHEN o.version <= excluded.version THEN excluded.provider ELSE o.provider END,
            snapshot = CASE WHEN o.version <= excluded.version THEN excluded.snapshot ELSE o.snapshot END,
            accepted_at = CASE WHEN coalesce(o.accepted_version, 0) <= excluded.accepted_version
                THEN excluded.accepted_at ELSE o.accepted_at END,
            companion = CASE WHEN coalesce(o.accepted_version, 0) <= excluded.accepted_version
                THEN excluded.companion ELSE o.companion END,
            accepted_version = greatest(o.accepted_version, excluded.accepted_version),
            ended_at = CASE WHEN o.version <= excluded.version AND (excluded.ended_at IS NOT NULL
                    OR excluded.state NOT IN ('completed', 'cancelled', 'refused', 'expired'))
                THEN excluded.ended_at ELSE coalesce(o.ended_at, excluded.ended_at) END
        """
    let orders: [OrdersTold.Told]
    private let snapshots: [PostgresJSON]

    /// - Throws: the errors of encoding the snapshots.
    init(orders: [OrdersTold.Told]) throws {
        self.orders = orders
        snapshots = try orders.map { PostgresJSON(try JSON.wire.encode($0.order)) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: orders, \.order.order, \.order.market, \.order.version, \.order.state.rawValue,
            \.order.customer.account)
        bindings.append(orders.map(\.order.provider?.account))
        bindings.append(columnsOf: orders, \.order.requestedAt, \.acceptedAt, \.endedAt, \.companion)
        bindings.append(snapshots)
    }
}

struct UpsertRepublishedRatings: Statement {
    static let sql: SQL = """
        INSERT INTO ratings (order_id, actor, market, from_account, to_account, stars, service_stars, comment, at)
        SELECT order_id, actor, market, from_account, to_account, stars, service_stars, comment, at
        FROM unnest(
            $1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::integer[], $7::integer[], $8::text[],
            $9::timestamptz[]
        ) AS told (order_id, actor, market, from_account, to_account, stars, service_stars, comment, at)
        ORDER BY order_id, actor
        ON CONFLICT (order_id, actor) DO UPDATE SET
            market = excluded.market, from_account = excluded.from_account, to_account = excluded.to_account,
            stars = excluded.stars, service_stars = excluded.service_stars, comment = excluded.comment, at = excluded.at
        """
    let ratings: [(order: OrderSnapshot, rating: OrdersTold.Rating)]
    func bind(_ bindings: inout Bindings) {
        let serviceStars: [Int32?] = ratings.map { told in told.rating.serviceStars.map { Int32(clamping: $0) } }
        bindings.append(
            columnsOf: ratings, \.order.order, \.rating.by.rawValue, \.order.market, \.rating.from, \.rating.to)
        bindings.append(ratings.map { Int32(clamping: $0.rating.stars) }, serviceStars)
        bindings.append(columnsOf: ratings, \.rating.comment, \.rating.at)
    }
}

/// Deletes ratings of these orders that dispatch does not have and that were here before it read its rows.
struct DeleteStaleRatings: Statement {
    static let sql: SQL = """
        DELETE FROM ratings WHERE order_id = ANY ($1::uuid[]) AND heard_at < $4 AND NOT EXISTS (
            SELECT FROM unnest($2::uuid[], $3::text[]) AS told (order_id, actor)
            WHERE told.order_id = ratings.order_id AND told.actor = ratings.actor)
        """
    let message: OrdersTold
    let ratings: [(order: OrderSnapshot, rating: OrdersTold.Rating)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(message.orders.map(\.order.order))
        bindings.append(columnsOf: ratings, \.order.order, \.rating.by.rawValue)
        bindings.append(message.range.surelyKnown)
    }
}

/// Stores parties' reports and restores lost ones. A decision or an answer is admin's own data and stays. An existing
/// report keeps its author's account, because dispatch only knows who that party is now.
struct UpsertRepublishedReports: Statement {
    static let sql: SQL = """
        INSERT INTO reports AS r (
            id, order_id, market, made_by, account, reason, note, cancels, awaits_decision, at, state, decision,
            to_customer, reply, closed_at)
        SELECT id, order_id, market, made_by, account, reason,
            CASE WHEN NOT EXISTS (SELECT FROM people WHERE people.account = told.account AND people.name = $15)
                THEN note END,
            cancels, awaits_decision, at,
            CASE WHEN closed_at IS NULL THEN 'open' WHEN decision IS NULL THEN 'answered' ELSE 'decided' END,
            decision, to_customer, reply, closed_at
        FROM unnest(
            $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::boolean[],
            $9::boolean[], $10::timestamptz[], $11::text[], $12::bigint[], $13::text[], $14::timestamptz[]
        ) AS told (
            id, order_id, market, made_by, account, reason, note, cancels, awaits_decision, at, decision, to_customer,
            reply, closed_at)
        ORDER BY id
        ON CONFLICT (id) DO UPDATE SET
            order_id = excluded.order_id, market = excluded.market, made_by = excluded.made_by, reason = excluded.reason,
            note = excluded.note, cancels = excluded.cancels, awaits_decision = excluded.awaits_decision,
            at = excluded.at,
            state = CASE WHEN r.state = 'open' THEN excluded.state ELSE r.state END,
            decision = CASE WHEN r.state = 'open' THEN excluded.decision ELSE r.decision END,
            to_customer = CASE WHEN r.state = 'open' THEN excluded.to_customer ELSE r.to_customer END,
            reply = CASE WHEN r.state = 'open' THEN excluded.reply ELSE r.reply END,
            closed_at = CASE WHEN r.state = 'open' THEN excluded.closed_at ELSE r.closed_at END
        """
    let reports: [(order: OrderSnapshot, report: OrdersTold.Report)]
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: reports, \.report.report, \.order.order, \.order.market, \.report.by.rawValue, \.report.account,
            \.report.reason, \.report.note, \.report.cancels, \.report.awaitsDecision, \.report.at)
        bindings.append(
            reports.map(\.report.outcome?.decision.rawValue), reports.map(\.report.outcome?.toCustomer.amount),
            reports.map { $0.report.outcome?.reason ?? $0.report.answer }, reports.map(\.report.closedAt),
            AccountSnapshot.goneName)
    }
}

/// Fills empty timelines with the moments that the order itself knows: request, acceptance, arrival and end. An order's
/// own events stay the record if there are any. A young order is skipped, because its events may still arrive.
struct FillTimelines: Statement {
    static let sql: SQL = """
        INSERT INTO order_events (order_id, message, at, name, state, actor)
        SELECT told.id, overlay(told.id::text PLACING step.digits FROM 35)::uuid, step.at, step.name, step.state, NULL
        FROM unnest(
            $1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::text[]
        ) AS told (id, requested_at, accepted_at, arrived_at, ended_at, state)
        CROSS JOIN LATERAL (VALUES
            ('00', told.requested_at, 'dispatch.order.requested.v1', 'requested'),
            ('01', told.accepted_at, 'dispatch.order.accepted.v1', 'accepted'),
            ('02', told.arrived_at, 'dispatch.order.arrived.v1', 'arrived'),
            ('03', told.ended_at, 'dispatch.order.' || told.state || '.v1', told.state)
        ) AS step (digits, at, name, state)
        WHERE step.at IS NOT NULL AND told.requested_at < $7
            AND NOT EXISTS (SELECT FROM order_events AS heard WHERE heard.order_id = told.id)
        ON CONFLICT DO NOTHING
        """
    let orders: [OrdersTold.Told]
    let before: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            columnsOf: orders, \.order.order, \.order.requestedAt, \.acceptedAt, \.arrivedAt, \.endedAt,
            \.order.state.rawValue)
        bindings.append(before)
    }
}

/// Deletes orders that dispatch does not have and that were here before it read its rows. Ended orders that may be
/// older than dispatch's retention stay.
struct DeleteStaleOrders: Statement {
    static let sql: SQL = """
        WITH lost AS (
            DELETE FROM orders
            WHERE ($1::uuid IS NULL OR id > $1) AND ($2::uuid IS NULL OR id <= $2) AND id <> ALL ($3::uuid[])
                AND heard_at < $4
                AND (state NOT IN ('completed', 'cancelled', 'refused', 'expired') OR requested_at > $5)
            RETURNING id
        ), events AS (
            DELETE FROM order_events USING lost WHERE order_events.order_id = lost.id
        )
        DELETE FROM ratings USING lost WHERE ratings.order_id = lost.id
        """
    let message: OrdersTold
    let keptFrom: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            message.range.after, message.range.through, message.orders.map(\.order.order), message.range.surelyKnown,
            keptFrom)
    }
}
