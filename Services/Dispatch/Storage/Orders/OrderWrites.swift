import Foundation
import Postgres

/// Takes the order's lock until the commit. Before the provider's, always.
struct LockOrder: Statement {
    static let sql: StaticString = "SELECT true FROM orders WHERE id = $1 FOR UPDATE"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// The same without waiting: no row when somebody else has the lock, or when there is no such order.
struct TryLockOrder: Statement {
    static let sql: StaticString = "SELECT true FROM orders WHERE id = $1 FOR UPDATE SKIP LOCKED"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct InsertOrder: Statement {
    static let sql: StaticString = """
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

    /// - Throws: what encoding its parts throws.
    init(_ order: Order) throws {
        self.order = order
        services = try .encoding(order.lines)
        shares = try order.shares.map { try .encoding($0) }
        particulars = try order.particulars.map { try .encoding($0) }
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(order.id)
        bindings.append(order.market)
        bindings.append(order.kind)
        bindings.append(order.version)
        bindings.append(order.state.rawValue)
        bindings.append(order.customer.account)
        bindings.append(order.customer.name)
        bindings.append(order.provider?.account)
        bindings.append(order.provider?.name)
        bindings.append(services)
        bindings.append(order.total)
        bindings.append(order.currency)
        bindings.append(order.payment.method)
        bindings.append(order.payment.state.rawValue)
        bindings.append(order.payment.version)
        bindings.append(order.confirmedBy.map(\.rawValue))
        bindings.append(order.deadline)
        bindings.append(order.by.rawValue)
        bindings.append(order.reason)
        bindings.append(order.companion)
        bindings.append(order.isNear)
        bindings.append(order.place.latitude)
        bindings.append(order.place.longitude)
        bindings.append(order.place.description)
        bindings.append(order.requestedAt)
        bindings.append(order.changedAt)
        bindings.append(order.destination?.latitude)
        bindings.append(order.destination?.longitude)
        bindings.append(order.destination?.description)
        bindings.append(order.scheduledAt)
        bindings.append(order.deposit?.amount)
        bindings.append(order.deposit?.state.rawValue)
        bindings.append(shares)
        bindings.append(particulars)
        bindings.append(order.merchant?.account)
    }
}

/// Writes what a transition can change. The order's lock is held.
struct UpdateOrder: Statement {
    static let sql: StaticString = """
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
        bindings.append(order.id)
        bindings.append(order.version)
        bindings.append(order.state.rawValue)
        bindings.append(order.payment.method)
        bindings.append(order.payment.state.rawValue)
        bindings.append(order.payment.version)
        bindings.append(order.confirmedBy.map(\.rawValue))
        bindings.append(order.deadline)
        bindings.append(order.by.rawValue)
        bindings.append(order.reason)
        bindings.append(order.companion)
        bindings.append(order.isNear)
        bindings.append(order.changedAt)
        bindings.append(order.arrivedAt)
        bindings.append(order.report)
        let ending = order.ending
        bindings.append(ending?.by.rawValue)
        bindings.append(ending?.at)
        bindings.append(ending?.fine?.amount)
        bindings.append(ending?.fine?.metres)
        bindings.append(ending?.verdict?.decision.rawValue)
        bindings.append(ending?.verdict?.toCustomer)
        bindings.append(ending?.verdict?.reason)
        bindings.append(order.provider?.account)
        bindings.append(order.provider?.name)
        bindings.append(order.scheduledAt)
        bindings.append(order.proposedAt)
        bindings.append(order.deposit?.state.rawValue)
        bindings.append(order.deposit?.orderVersion)
        bindings.append(order.searchEnd)
        bindings.append(order.total)
    }
}
