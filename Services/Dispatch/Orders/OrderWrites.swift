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

struct InsertOrder: Statement {
    static let sql: SQL = """
        INSERT INTO orders (id, market, kind, version, state, customer, customer_name, provider, provider_name, services,
            total, currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
            companion, is_near, latitude, longitude, description, requested_at, changed_at, destination_latitude,
            destination_longitude, destination_description, scheduled_at, deposit, deposit_state, shares, particulars, merchant)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
            $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35)
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
        particulars = try order.particulars.map { try .encoding($0) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.id, order.market, order.kind, order.version, order.state.rawValue, order.customer.account,
            order.customer.name, order.provider?.account, order.provider?.name, services, order.total, order.currency,
            order.payment.method, order.payment.state.rawValue, order.payment.version,
            order.confirmedBy.map(\.rawValue), order.deadline, order.by.rawValue, order.reason, order.companion,
            order.isNear, order.place.latitude, order.place.longitude, order.place.description, order.requestedAt,
            order.changedAt, order.destination?.latitude, order.destination?.longitude, order.destination?.description,
            order.scheduledAt, order.deposit?.amount, order.deposit?.state.rawValue, shares, particulars,
            order.merchant?.account)
    }
}

/// Writes the columns that a transition can change. The caller holds the order's lock.
struct UpdateOrder: Statement {
    static let sql: SQL = """
        UPDATE orders SET version = $2, state = $3, payment_method = $4, payment_state = $5, payment_version = $6,
            confirmed_by = $7, deadline = $8, changed_by = $9, reason = $10, companion = $11, is_near = $12,
            changed_at = $13, arrived_at = $14, report = $15, ended_by = $16, ended_at = $17, fine = $18,
            fine_metres = $19, decision = $20, to_customer = $21, decision_note = $22, provider = $23,
            provider_name = $24, scheduled_at = $25, proposed_at = $26, deposit_state = $27, deposit_version = $28,
            search_end = $29, total = $30,
            accepted_at = CASE WHEN $3 = 'accepted' AND state <> 'accepted' THEN $13 ELSE accepted_at END
        WHERE id = $1
        """
    let order: Order

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.id, order.version, order.state.rawValue, order.payment.method, order.payment.state.rawValue,
            order.payment.version, order.confirmedBy.map(\.rawValue), order.deadline, order.by.rawValue, order.reason,
            order.companion, order.isNear, order.changedAt, order.arrivedAt, order.report)
        let ending = order.ending
        bindings.append(
            ending?.by.rawValue, ending?.at, ending?.fine?.amount, ending?.fine?.metres,
            ending?.verdict?.decision.rawValue, ending?.verdict?.toCustomer, ending?.verdict?.reason,
            order.provider?.account, order.provider?.name, order.scheduledAt, order.proposedAt,
            order.deposit?.state.rawValue, order.deposit?.orderVersion, order.searchEnd, order.total)
    }
}
