import Foundation
import Postgres

/// Locks the order's row until the commit. Lock order: the order before its provider.
struct LockOrder: Statement {
    static let sql: SQL = "SELECT true FROM orders WHERE id = $1 FOR UPDATE"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Locks the order's row without waiting; no row if another transaction has the lock or the order does not exist.
struct TryLockOrder: Statement {
    static let sql: SQL = "SELECT true FROM orders WHERE id = $1 FOR UPDATE SKIP LOCKED"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Writes a new order. Names stay in `people`: an order has none beside its places (I14).
struct InsertOrder: Statement {
    static let sql: SQL = """
        INSERT INTO orders (id, market, kind, version, state, customer, provider, services, total, currency,
            payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason, is_near,
            latitude, longitude, description, requested_at, changed_at, destination_latitude, destination_longitude,
            destination_description, scheduled_at, deposit, deposit_state, shares, particulars, merchant)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
            $24, $25, $26, $27, $28, $29, $30, $31, $32)
        """
    let order: Order
    let services: PostgresJSON
    let shares: PostgresJSON?
    let particulars: PostgresJSON?

    /// - Throws: errors of encoding the JSON columns.
    init(_ order: Order) throws {
        self.order = order
        services = try .encoding(order.lines)
        shares = try order.shares.map { try .encoding($0) }
        particulars = try order.particulars.map { try .encoding($0.withoutNames) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.id, order.market, order.kind, order.version, order.state.rawValue, order.customer.account,
            order.provider?.account, services, order.total, order.currency, order.payment.method,
            order.payment.state.rawValue, order.payment.version, order.confirmedBy.map(\.rawValue), order.deadline,
            order.by.rawValue, order.reason, order.isNear)
        bindings.append(
            order.place.latitude, order.place.longitude, order.place.description, order.requestedAt, order.changedAt,
            order.destination?.latitude, order.destination?.longitude, order.destination?.description,
            order.scheduledAt, order.deposit?.amount, order.deposit?.state.rawValue, shares, particulars,
            order.merchant?.account)
    }
}

/// Writes the columns that a transition can change. The caller holds the order's lock.
struct UpdateOrder: Statement {
    static let sql: SQL = """
        UPDATE orders SET version = $2, state = $3, payment_method = $4, payment_state = $5, payment_version = $6,
            confirmed_by = $7, deadline = $8, changed_by = $9, reason = $10, is_near = $11,
            changed_at = $12, arrived_at = $13, report = $14, ended_by = $15, ended_at = $16, fine = $17,
            fine_metres = $18, decision = $19, to_customer = $20, decision_note = $21, provider = $22,
            scheduled_at = $23, proposed_at = $24, deposit_state = $25, deposit_version = $26,
            search_end = $27, total = $28, customer_name = NULL, provider_name = NULL,
            accepted_at = CASE WHEN $3 = 'accepted' AND state <> 'accepted' THEN $12 ELSE accepted_at END,
            started_at = CASE WHEN $3 = 'inProgress' AND state <> 'inProgress' THEN $12 ELSE started_at END,
            reached_at = CASE WHEN $22::uuid IS NULL THEN NULL WHEN $3 = 'arrived' AND state <> 'arrived' THEN $12
                ELSE reached_at END,
            approach_metres = CASE WHEN $3 = 'inProgress' AND state <> 'inProgress' AND kind <> 'ride'
                THEN (SELECT metres FROM order_odometers WHERE order_id = $1) ELSE approach_metres END
        WHERE id = $1
        """
    let order: Order

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.id, order.version, order.state.rawValue, order.payment.method, order.payment.state.rawValue,
            order.payment.version, order.confirmedBy.map(\.rawValue), order.deadline, order.by.rawValue, order.reason,
            order.isNear, order.changedAt, order.arrivedAt, order.report)
        let ending = order.ending
        bindings.append(
            ending?.by.rawValue, ending?.at, ending?.fine?.amount, ending?.fine?.metres,
            ending?.verdict?.decision.rawValue, ending?.verdict?.toCustomer, ending?.verdict?.reason,
            order.provider?.account, order.scheduledAt, order.proposedAt,
            order.deposit?.state.rawValue, order.deposit?.orderVersion, order.searchEnd, order.total)
    }
}

/// Stores the full name of the person who comes along, beside no place.
struct KeepCompanion: Statement {
    static let sql: SQL = """
        INSERT INTO order_companions (order_id, name) VALUES ($1, $2)
        ON CONFLICT (order_id) DO UPDATE SET name = excluded.name
        """
    let order: UUID
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, name) }
}

/// Forgets who would have come along with a provider who has lost the order.
struct ForgetCompanion: Statement {
    static let sql: SQL = """
        WITH gone AS (DELETE FROM order_companions WHERE order_id = $1)
        UPDATE orders SET companion = NULL WHERE id = $1 AND companion IS NOT NULL
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
