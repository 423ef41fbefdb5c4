import Foundation
import Postgres

extension Charge {
    /// Reads the columns of every statement that selects charges, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), purpose: try row.choice(Purpose.self), subject: try row.next(),
            amount: try row.next(), currency: try row.next(), card: try row.next(), cvvReference: try row.next(),
            method: try row.choice(PaymentMethod.self), customer: try row.next(), consentedAt: try row.next(),
            madeAt: try row.next(), captureAt: try row.next(), state: try row.choice(State.self),
            goal: try row.choice(Goal.self), reference: try row.next(), reason: try row.next(),
            actionURL: try row.next(), tries: try row.next(), misses: try row.next(), missedAt: try row.next(),
            changedAt: try row.next(), returnURL: try row.next(), faults: try row.next(), keyNumber: try row.next())
    }
}

struct InsertCharge: Statement {
    static let sql: SQL = """
        INSERT INTO charges (
            id, purpose, subject, amount, currency, card, cvv_reference, state, goal, due_at, made_at, capture_at, method,
            customer, consented_at, reference)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), $10, $11, $12, $13, $14, $15)
        """
    let charge: Charge
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            charge.id, charge.purpose.rawValue, charge.subject, charge.amount, charge.currency, charge.card,
            charge.cvvReference, charge.state.rawValue, charge.goal.rawValue, charge.madeAt, charge.captureAt,
            charge.method.rawValue, charge.customer, charge.consentedAt, charge.reference)
    }
}

struct FindCharge: Statement {
    static let sql: SQL = """
        SELECT id, purpose, subject, amount, currency, card, cvv_reference, method, customer, consented_at, made_at,
            capture_at, state, goal, reference, reason, action_url, tries, misses, missed_at,
            changed_at, return_url, faults, key_number
        FROM charges WHERE id = $1
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Charge { try Charge(row: &row) }
}

struct LockCharge: Statement {
    static let sql: SQL = """
        SELECT id, purpose, subject, amount, currency, card, cvv_reference, method, customer, consented_at, made_at,
            capture_at, state, goal, reference, reason, action_url, tries, misses, missed_at,
            changed_at, return_url, faults, key_number
        FROM charges WHERE id = $1 FOR UPDATE
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Charge { try Charge(row: &row) }
}

/// Updates the changeable columns of a locked charge. Sets when the worker looks next: after a pause if there is a next
/// request, at the early capture of a waiting authorisation, otherwise never.
struct UpdateCharge: Statement {
    static let sql: SQL = """
        UPDATE charges
        SET state = $2, goal = $3, reference = $4, reason = $5, tries = $6,
            due_at = CASE WHEN $7 THEN now() + $8 * interval '1 second'
                WHEN $9 THEN coalesce(capture_at, made_at + interval '6 days') END,
            cvv_reference = CASE WHEN $2 = 'asked' THEN cvv_reference END, action_url = $10,
            misses = $11, missed_at = $12, faults = $13, changed_at = now()
        WHERE id = $1
        """
    let charge: Charge
    let pauseSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            charge.id, charge.state.rawValue, charge.goal.rawValue, charge.reference, charge.reason, charge.tries,
            charge.nextRequest != nil, pauseSeconds, charge.isWaiting, charge.actionURL, charge.misses, charge.missedAt,
            charge.faults)
    }
}

/// Records a fault of the payment provider for a locked charge.
struct CountFault: Statement {
    static let sql: SQL = """
        UPDATE charges
        SET faults = $2, key_number = $3, missed_at = $4,
            due_at = CASE WHEN due_at IS NOT NULL THEN now() + $5 * interval '1 second' END
        WHERE id = $1
        """
    let charge: Charge
    let pauseSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(charge.id, charge.faults, charge.keyNumber, charge.missedAt, pauseSeconds)
    }
}

/// Claims due charges for the length of a lease and counts a try before anything is asked, so a charge with zero tries
/// was certainly never sent. From the first try on the charge keeps its return URL.
struct ClaimCharges: Statement {
    static let sql: SQL = """
        UPDATE charges
        SET due_at = now() + $2 * interval '1 second', tries = tries + 1, return_url = coalesce(return_url, $3)
        WHERE id IN (SELECT id FROM charges WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING id, purpose, subject, amount, currency, card, cvv_reference, method, customer, consented_at, made_at,
            capture_at, state, goal, reference, reason, action_url, tries, misses, missed_at,
            changed_at, return_url, faults, key_number
        """
    let limit: Int
    let leaseSeconds: Double
    var returnURL: String?
    func bind(_ bindings: inout Bindings) { bindings.append(limit, leaseSeconds, returnURL) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Charge { try Charge(row: &row) }
}

/// Postpones a charge whose answer is not known, unless its state or goal changed meanwhile.
struct PostponeCharge: Statement {
    static let sql: SQL = """
        UPDATE charges SET due_at = now() + $4 * interval '1 second'
        WHERE id = $1 AND state = $2 AND goal = $3 AND due_at IS NOT NULL
        """
    let charge: Charge
    let pauseSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(charge.id, charge.state.rawValue, charge.goal.rawValue, pauseSeconds)
    }
}

/// Seconds until the next charge is due; nil when none is.
struct NextCharge: Statement {
    static let sql: SQL =
        "SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 FROM charges WHERE due_at IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double? { try row.next() }
}

/// Finds the charge of a payment intent by the payment provider's id.
struct FindChargeByReference: Statement {
    static let sql: SQL = "SELECT id FROM charges WHERE reference = $1 AND purpose <> 'refund'"
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(reference) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Sums the partial refunds asked of a payment intent, in minor units, made or not. Excludes refunds that failed and
/// went to the wallet, since a later event about one cannot be told from a refund made in the dashboard.
struct SumRefundsAsked: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM charges
        WHERE reference = $1 AND purpose = 'refund' AND id IS DISTINCT FROM $2
            AND NOT EXISTS (SELECT FROM transfers WHERE key = 'refundReturn:' || charges.id)
        """
    let reference: String
    /// The charge of a refund that fails in this transaction.
    var besides: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(reference, besides) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Remembers the greatest sum that the payment provider has reported as refunded of a locked charge, in minor units.
struct NoteToldRefund: Statement {
    static let sql: SQL = "UPDATE charges SET told_refunded = $2 WHERE id = $1 AND told_refunded < $2"
    let charge: UUID
    let amount: Int
    func bind(_ bindings: inout Bindings) { bindings.append(charge, amount) }
}

/// Takes a refund that was made and failed later out of what the payment provider has reported of a locked charge.
struct LowerToldRefund: Statement {
    static let sql: SQL = "UPDATE charges SET told_refunded = greatest(told_refunded - $2, 0) WHERE id = $1"
    let charge: UUID
    let amount: Int
    func bind(_ bindings: inout Bindings) { bindings.append(charge, amount) }
}

/// Reads the greatest sum that the payment provider has reported as refunded of a charge, in minor units.
struct FindReportedRefund: Statement {
    static let sql: SQL = "SELECT told_refunded FROM charges WHERE id = $1"
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Finds the address where the customer of a payment or top-up must confirm.
struct FindAction: Statement {
    static let sql: SQL = """
        SELECT action_url FROM charges
        WHERE subject = $1 AND state = 'requiresAction' AND goal <> 'cancel' AND action_url IS NOT NULL
        ORDER BY id DESC LIMIT 1
        """
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Remembers a webhook event. Affects one row when the event is new.
struct RememberWebhook: Statement {
    static let sql: SQL = "INSERT INTO webhook_events (id) VALUES ($1) ON CONFLICT DO NOTHING"
    let id: String
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
}

struct PurgeWebhooks: Statement {
    static let sql: SQL = """
        DELETE FROM webhook_events
        WHERE id IN (SELECT id FROM webhook_events WHERE received_at < now() - interval '7 days' LIMIT 1000)
        """
}
