import Foundation
import Postgres

/// Finds the payment provider's id of the account's customer.
struct FindProviderCustomer: Statement {
    static let sql: SQL = "SELECT reference FROM provider_customers WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Inserts the account's customer; the first one stays.
struct InsertProviderCustomer: Statement {
    static let sql: SQL =
        "INSERT INTO provider_customers (account, reference) VALUES ($1, $2) ON CONFLICT (account) DO NOTHING"
    let account: UUID
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, reference) }
}

/// Schedules a removal at the payment provider, unless ``DeleteRemoval`` cancels it first.
struct InsertRemoval: Statement {
    static let sql: SQL = """
        INSERT INTO removals (reference, kind, due_at) VALUES ($1, $2, now() + $3 * interval '1 second')
        ON CONFLICT (reference) DO UPDATE SET due_at = least(removals.due_at, excluded.due_at)
        """
    let removal: Removal
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(removal.reference, removal.kind.rawValue, seconds) }
}

/// Deletes a removal that is cancelled or done.
struct DeleteRemoval: Statement {
    static let sql: SQL = "DELETE FROM removals WHERE reference = $1"
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(reference) }
}

/// Claims due removals for the length of a lease. Skipped are: cards that are stored here (two requests may add one payment
/// method, of which one died after the other had stored it), cards with an unanswered charge or a charge that waits
/// for the customer's confirmation, cards that a cash-out goes to, and customers that an account still has.
struct ClaimRemovals: Statement {
    static let sql: SQL = """
        UPDATE removals SET due_at = now() + $2 * interval '1 second', tries = tries + 1
        WHERE reference IN (
            SELECT reference FROM removals
            WHERE due_at <= now() AND NOT EXISTS (SELECT FROM cards WHERE cards.reference = removals.reference)
                AND NOT EXISTS (
                SELECT FROM charges
                WHERE charges.card = removals.reference
                    AND charges.state IN ('asked', 'requiresAction'))
                AND NOT EXISTS (
                    SELECT FROM cash_outs
                    WHERE cash_outs.destination = removals.reference AND cash_outs.state IN ('waiting', 'paying'))
                AND NOT EXISTS (
                    SELECT FROM provider_customers WHERE provider_customers.reference = removals.reference)
            ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING reference, kind, tries
        """
    let limit: Int
    let leaseSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(limit, leaseSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Removal {
        Removal(reference: try row.next(), kind: try row.choice(Removal.Kind.self), tries: try row.next())
    }
}

struct PostponeRemoval: Statement {
    static let sql: SQL =
        "UPDATE removals SET due_at = now() + $2 * interval '1 second' WHERE reference = $1"
    let removal: Removal
    func bind(_ bindings: inout Bindings) { bindings.append(removal.reference, removal.pauseSeconds) }
}

/// Schedules the removal of everything that the payment provider keeps about an account.
struct RemoveAccountAtProvider: Statement {
    static let sql: SQL = """
        WITH gone AS (DELETE FROM provider_customers WHERE account = $1 RETURNING reference)
        INSERT INTO removals (reference, kind, due_at)
        SELECT reference, 'customer', now() FROM gone
        UNION ALL SELECT reference, 'card', now() FROM cards WHERE account = $1
        ON CONFLICT (reference) DO UPDATE SET due_at = least(removals.due_at, excluded.due_at)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
