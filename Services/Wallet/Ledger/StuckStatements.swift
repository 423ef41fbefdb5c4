import Foundation
import Postgres

/// A piece of work that should have finished long ago.
struct StuckItem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of the stuck item, such as `payment of order`, `charge of top-up` or `hold`.
    let what: String
    /// The id of the order, top-up, cash-out, account or other subject.
    let subject: UUID
    let state: String
    /// Seconds since the last step.
    let age: Double
    let charge: Charge?

    struct Charge: Sendable, Hashable {
        let id: UUID
        let state: String
        let goal: String
        let tries: Int
    }

    var description: String {
        let hours = String(format: "%.1f", age / 3_600)
        let text = "\(what) \(subject.uuidString.lowercased()) is \(state) for \(hours) h"
        guard let charge else { return text }
        return text + "; charge \(charge.id.uuidString.lowercased()) is \(charge.state), to \(charge.goal), "
            + "asked \(charge.tries) times"
    }

    fileprivate init(row: inout RowReader) throws(PostgresError) {
        what = try row.next()
        subject = try row.next()
        state = try row.next()
        age = try row.next()
        let (id, known): (UUID?, String?) = (try row.next(), try row.next())
        let (goal, tries): (String?, Int?) = (try row.next(), try row.next())
        charge =
            if let id, let known, let goal, let tries {
                Charge(id: id, state: known, goal: goal, tries: tries)
            } else { nil }
    }
}

/// Finds payments that have waited too long for the payment provider, or for an order whose deadline is long over. A
/// held or frozen payment counts after 30 days, since the order or an admin may take long.
struct FindStuckPayments: Statement {
    static let sql: SQL = """
        SELECT 'payment of order', payments.order_id, payments.state,
            extract(epoch FROM now() - payments.changed_at)::float8, charges.id, charges.state, charges.goal,
            charges.tries
        FROM payments LEFT JOIN charges ON charges.id = payments.charge
        WHERE payments.changed_at < now() - $1 * interval '1 second' AND (
            payments.state IN ('authorising', 'capturing', 'releasing', 'crediting')
            OR payments.state IN ('requested', 'due') AND payments.order_deadline < now() - $1 * interval '1 second'
            OR payments.state IN ('held', 'frozen') AND payments.changed_at < now() - interval '30 days')
        ORDER BY payments.changed_at LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds charges asked for too long that are not already reported with their payment: top-ups, subscriptions, charges
/// being undone, authorisations not captured before they lapse, and authorisations without a due time, which no worker
/// would take.
struct FindStuckCharges: Statement {
    static let sql: SQL = """
        SELECT CASE charges.purpose WHEN 'topUp' THEN 'charge of top-up' WHEN 'refund'
                THEN CASE WHEN refunds.id IS NULL THEN 'return of top-up' ELSE 'refund of order' END
                WHEN 'subscription' THEN 'charge of subscription period' ELSE 'charge of order' END,
            coalesce(payments.order_id, refunds.order_id, charges.subject), charges.state,
            extract(epoch FROM now() - charges.changed_at)::float8, charges.id, charges.state, charges.goal,
            charges.tries
        FROM charges LEFT JOIN payments ON payments.id = charges.subject
            LEFT JOIN refunds ON refunds.id = charges.subject
        WHERE (charges.due_at IS NOT NULL OR charges.purpose = 'payment' AND charges.state = 'authorised')
            AND CASE WHEN charges.state = 'authorised' AND charges.goal = 'authorise' AND charges.due_at IS NOT NULL
                THEN coalesce(charges.capture_at, charges.due_at) ELSE charges.changed_at END
                < now() - $1 * interval '1 second'
            AND (payments.charge = charges.id AND payments.state IN ('authorising', 'capturing', 'releasing', 'crediting'))
                IS NOT TRUE
        ORDER BY charges.changed_at LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds cash-outs that the payment provider has not paid for too long. A cash-out that waits for an admin counts after
/// 30 days.
struct FindStuckCashOuts: Statement {
    static let sql: SQL = """
        SELECT 'cash-out', id, state, extract(epoch FROM now() - changed_at)::float8, NULL::uuid, NULL::text, NULL::text,
            NULL::bigint
        FROM cash_outs
        WHERE state = 'paying' AND changed_at < now() - $1 * interval '1 second' AND (reference IS NULL
                OR changed_at < now() - interval '10 days')
            OR state = 'waiting' AND changed_at < now() - interval '30 days'
        ORDER BY changed_at LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds wallets of deleted accounts with a balance, for example after a bank returned a payout. An operator has to
/// settle them.
struct FindWalletsOfDeletedAccounts: Statement {
    static let sql: SQL = """
        SELECT 'wallet of the deleted account', accounts.owner, 'at ' || accounts.balance || ' ' || accounts.currency,
            extract(epoch FROM now() - coalesce(last.at, now()))::float8, NULL::uuid, NULL::text, NULL::text, NULL::bigint
        FROM leaving_accounts JOIN accounts ON accounts.owner = leaving_accounts.account AND accounts.kind = 'wallet'
        LEFT JOIN LATERAL (
            SELECT transfers.at FROM entries JOIN transfers ON transfers.id = entries.transfer
            WHERE entries.account = accounts.id ORDER BY entries.id DESC LIMIT 1) AS last ON true
        WHERE leaving_accounts.state = 'gone' AND accounts.balance <> 0
        ORDER BY accounts.owner, accounts.currency LIMIT 100
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds debtors who have paid more than their creditors received.
struct FindStuckDebts: Statement {
    static let sql: SQL = """
        SELECT 'debts of account', waiting.debtor, waiting.unpaid || ' ' || waiting.currency || ' wait',
            extract(epoch FROM now() - last.at)::float8, NULL::uuid, NULL::text, NULL::text, NULL::bigint
        FROM (
            SELECT debtor, currency, sum(unpaid) AS unpaid FROM debts WHERE unpaid > 0 GROUP BY debtor, currency
        ) AS waiting
        JOIN accounts ON accounts.owner = waiting.debtor AND accounts.kind = 'wallet'
            AND accounts.currency = waiting.currency
        CROSS JOIN LATERAL (
            SELECT transfers.at FROM entries JOIN transfers ON transfers.id = entries.transfer
            WHERE entries.account = accounts.id ORDER BY entries.id DESC LIMIT 1) AS last
        WHERE waiting.unpaid > greatest(-accounts.balance, 0) AND last.at < now() - $1 * interval '1 second'
        LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds subscriptions whose end has passed but was not published.
struct FindStuckSubscriptions: Statement {
    static let sql: SQL = """
        SELECT 'subscription', id, state, extract(epoch FROM now() - ends_at)::float8, NULL::uuid, NULL::text, NULL::text,
            NULL::bigint
        FROM subscriptions
        WHERE state = 'active' AND ends_at < now() - $1 * interval '1 second' ORDER BY ends_at LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}

/// Finds deposits kept for 30 days, overdue unpaid fines that no check has handled, and open holds past their expiry.
struct FindStuckDepositsFinesAndHolds: Statement {
    static let sql: SQL = """
        SELECT 'deposit of order', deposits.order_id, payments.order_state,
            extract(epoch FROM now() - deposits.changed_at)::float8, NULL::uuid, NULL::text, NULL::text, NULL::bigint
        FROM deposits LEFT JOIN payments ON payments.order_id = deposits.order_id
        WHERE deposits.state = 'locked' AND deposits.changed_at < now() - interval '30 days'
        UNION ALL
        SELECT 'fine of order', fines.order_id, 'unpaid', extract(epoch FROM now() - fines.due_at)::float8, NULL, NULL,
            NULL, NULL
        FROM fines LEFT JOIN blocks ON blocks.account = fines.account AND blocks.market = fines.market
        WHERE fines.paid_at IS NULL AND fines.due_at < now() - $1 * interval '1 second'
            AND blocks.is_blocked IS NOT TRUE
        UNION ALL
        SELECT 'hold', holds.id, holds.state, extract(epoch FROM now() - holds.expires_at)::float8, NULL, NULL, NULL, NULL
        FROM holds WHERE holds.state = 'open' AND holds.expires_at < now() - $1 * interval '1 second'
        LIMIT 100
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StuckItem { try StuckItem(row: &row) }
}
