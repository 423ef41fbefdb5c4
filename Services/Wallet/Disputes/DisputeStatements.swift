import Foundation
import Postgres

extension Dispute {
    /// Reads the columns of every statement that selects disputes, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), reference: try row.next(), kind: try row.choice(Kind.self), charge: try row.next(),
            account: try row.next(), market: try row.next(), order: try row.next(), currency: try row.next(),
            amount: try row.next(), payer: try row.choice(Payer.self), madeAt: try row.next())
        restore(
            state: try row.choice(State.self), isDebited: try row.next(), isFreezing: try row.next(),
            reason: try row.next())
    }
}

struct StoreDispute: Statement {
    static let sql: SQL = """
        INSERT INTO disputes (
            id, reference, kind, charge, account, market, order_id, currency, amount, payer, made_at, state, is_debited,
            is_freezing, reason, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, is_debited = excluded.is_debited,
            is_freezing = excluded.is_freezing, reason = excluded.reason, changed_at = excluded.changed_at
        """
    let dispute: Dispute
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            dispute.id, dispute.reference, dispute.kind.rawValue, dispute.charge, dispute.account, dispute.market,
            dispute.order, dispute.currency, dispute.amount, dispute.payer.rawValue, dispute.madeAt,
            (dispute.state ?? .open).rawValue, dispute.isDebited, dispute.isFreezing, dispute.reason, at)
    }
}

/// Locks a dispute by the payment provider's id. Every writer has locked its charge before.
struct LockDispute: Statement {
    static let sql: SQL = """
        SELECT id, reference, kind, charge, account, market, order_id, currency, amount, payer, made_at, state, is_debited,
            is_freezing, reason
        FROM disputes WHERE reference = $1 FOR UPDATE
        """
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(reference) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Dispute { try Dispute(row: &row) }
}

/// Returns a row when money of the account's card was taken back and its bank may still give it back, or the wallet is
/// frozen. An admin may end the freeze before the bank has decided.
struct FindUndecidedDispute: Statement {
    static let sql: SQL = """
        SELECT id FROM disputes WHERE account = $1 AND (is_freezing OR is_debited AND state = 'open') LIMIT 1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Sums what was refunded of a charge in the payment provider's dashboard, as far as is known, in minor units.
struct SumOutsideRefunds: Statement {
    static let sql: SQL =
        "SELECT coalesce(sum(amount), 0)::bigint FROM disputes WHERE charge = $1 AND kind = 'refund'"
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sums what was written off of an account's debt in a dispute's currency since the dispute took its money, less what other
/// disputes gave to the platform for it, in minor units.
struct SumWrittenOffSince: Statement {
    static let sql: SQL = """
        SELECT (
            (SELECT coalesce(sum(amount), 0) FROM write_offs WHERE account = $2 AND currency = $3 AND at >= taken.at)
            - (SELECT coalesce(sum(to_platform), 0) FROM disputes
                WHERE account = $2 AND currency = $3 AND to_platform > 0 AND changed_at >= taken.at))::bigint
        FROM transfers AS taken WHERE taken.key = 'dispute:' || $1::uuid
        """
    let dispute: Dispute
    func bind(_ bindings: inout Bindings) { bindings.append(dispute.id, dispute.account, dispute.currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Records what a locked dispute gave to the platform, in minor units.
struct NoteToPlatform: Statement {
    static let sql: SQL = "UPDATE disputes SET to_platform = $2 WHERE id = $1"
    let dispute: UUID
    let amount: Int
    func bind(_ bindings: inout Bindings) { bindings.append(dispute, amount) }
}

/// Finds the states of a charge's disputes that are open, inquired about or lost, so that money has gone back or may
/// go.
struct FindStandingDisputes: Statement {
    static let sql: SQL = """
        SELECT state FROM disputes WHERE charge = $1 AND kind = 'dispute' AND state IN ('inquiry', 'open', 'lost')
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Dispute.State {
        try row.choice(Dispute.State.self)
    }
}

/// Finds the account whose card was charged, and what it was charged for.
struct FindChargedAccount: Statement {
    struct Row: Sendable {
        let account: UUID
        let market: String
        let order: UUID?
        /// By language.
        let title: [String: String]
        let holder: String
        /// Whether the charge's money was credited to the account's wallet and not paid to anybody else.
        let isInWallet: Bool
    }

    static let sql: SQL = """
        SELECT coalesce(payments.customer, top_ups.account, subscription_periods.account),
            coalesce(payments.market, top_ups.market, subscription_periods.market), payments.order_id,
            coalesce(payments.title, subscription_periods.plan_name, '{}')::text,
            coalesce(payments.customer_name, top_ups.holder, ''),
            coalesce(top_ups.state = 'completed', false) OR coalesce(payments.state = 'credited' AND payments.charge = charges.id, false)
        FROM charges
        LEFT JOIN payments ON charges.purpose = 'payment' AND payments.id = charges.subject
        LEFT JOIN top_ups ON charges.purpose = 'topUp' AND top_ups.id = charges.subject
        LEFT JOIN subscription_periods
            ON charges.purpose = 'subscription' AND subscription_periods.id = charges.subject
        WHERE charges.id = $1 AND coalesce(payments.customer, top_ups.account, subscription_periods.account) IS NOT NULL
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), market: try row.next(), order: try row.next(),
            title: StoredText.decode(try row.next()), holder: try row.next(), isInWallet: try row.next())
    }
}

/// Returns a row when the account's wallet is frozen.
struct FindFreeze: Statement {
    static let sql: SQL = "SELECT id FROM disputes WHERE account = $1 AND is_freezing LIMIT 1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds the accounts whose wallets are frozen.
struct FindFrozenAccounts: Statement {
    static let sql: SQL = "SELECT DISTINCT account FROM disputes WHERE account = ANY ($1) AND is_freezing"
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Ends the freezes of an account in one market by an admin's decision.
struct EndFreezes: Statement {
    static let sql: SQL = """
        UPDATE disputes SET is_freezing = false, unfrozen_by = $3, unfrozen_at = $4, unfreeze_reason = $5, changed_at = $4
        WHERE account = $1 AND market = $2 AND is_freezing
        """
    let account: UUID
    let market: String
    let by: UUID
    let at: Date
    let reason: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, by, at, reason) }
}

/// The filter of a list of a market's disputes, newest first.
struct DisputeFilter: Sendable {
    let market: String
    let kind: Dispute.Kind?
    let state: Dispute.State?
    let account: UUID?
    /// True for disputes that freeze a wallet, false for the others, nil for all.
    let freezes: Bool?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
}

struct ListDisputesOfMarket: Statement {
    static let sql: SQL = """
        SELECT id, reference, kind, charge, account, market, order_id, currency, amount, payer, made_at, state, is_debited,
            is_freezing, reason
        FROM disputes
        WHERE market = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR state = $3)
            AND ($4::uuid IS NULL OR account = $4) AND ($5::boolean IS NULL OR is_freezing = $5)
            AND ($6::timestamptz IS NULL OR (made_at, id) < ($6, $7))
            AND ($9::timestamptz IS NULL OR made_at >= $9) AND ($10::timestamptz IS NULL OR made_at < $10)
        ORDER BY made_at DESC, id DESC LIMIT $8
        """
    let filter: DisputeFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.kind?.rawValue, filter.state?.rawValue, filter.account, filter.freezes,
            filter.after?.at, filter.after?.id, filter.limit, filter.from, filter.to)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Dispute { try Dispute(row: &row) }
}

struct FindDispute: Statement {
    static let sql: SQL = """
        SELECT id, reference, kind, charge, account, market, order_id, currency, amount, payer, made_at, state, is_debited,
            is_freezing, reason
        FROM disputes WHERE id = $1 AND market = $2
        """
    let dispute: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(dispute, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Dispute { try Dispute(row: &row) }
}
