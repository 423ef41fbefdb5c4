import Foundation
import Postgres
import SeraiJSON

extension Approval {
    /// Reads the columns of every statement that selects approvals, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), market: try row.next(), kind: try row.choice(Kind.self), subject: try row.next(),
            currency: try row.next(), amount: try row.next(), wish: try row.next(StoredWish?.self)?.wish,
            begunBy: try row.next(), begunAt: try row.next())
        restore(
            state: try row.choice(State.self), decidedBy: try row.next(), decidedAt: try row.next(),
            reason: try row.next())
    }
}

/// The stored request. Unreadable JSON is a decoding error, so that nothing is done by guessing.
private struct StoredWish: PostgresDecodable {
    let wish: ApprovalWish

    static func encode(_ wish: ApprovalWish) -> PostgresJSON {
        // try?: plain values always encode; anything else cannot be decoded and is never carried out.
        PostgresJSON((try? JSON.stored.encode(wish)) ?? Array("{}".utf8))
    }

    static func decode(_ cell: PostgresCell) -> StoredWish? {
        guard let text = String.decode(cell) else { return nil }
        // try?: nil becomes the decoding error.
        return (try? JSON.stored.decode(ApprovalWish.self, text.utf8)).map(StoredWish.init)
    }
}

struct InsertApproval: Statement {
    static let sql: SQL = """
        INSERT INTO approvals (id, market, kind, subject, currency, amount, wish, begun_by, begun_at, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """
    let approval: Approval
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            approval.id, approval.market, approval.kind.rawValue, approval.subject, approval.currency, approval.amount,
            approval.wish.map(StoredWish.encode), approval.begunBy, approval.begunAt, approval.state.rawValue)
    }
}

/// Writes the decision of a locked approval.
struct UpdateApproval: Statement {
    static let sql: SQL =
        "UPDATE approvals SET state = $2, decided_by = $3, decided_at = $4, reason = $5 WHERE id = $1"
    let approval: Approval
    func bind(_ bindings: inout Bindings) {
        bindings.append(approval.id, approval.state.rawValue, approval.decidedBy, approval.decidedAt, approval.reason)
    }
}

struct FindApproval: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        FROM approvals WHERE id = $1
        """
    let approval: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(approval) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}

struct LockApproval: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        FROM approvals WHERE id = $1 FOR UPDATE
        """
    let approval: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(approval) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}

/// Locks the waiting approval of a locked cash-out.
struct LockApprovalOfCashOut: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        FROM approvals WHERE kind = 'cashOut' AND state = 'waiting' AND subject = $1 FOR UPDATE
        """
    let cashOut: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}

/// Finds the waiting approvals of cash-outs, at most one each.
struct FindApprovalsOfCashOuts: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        FROM approvals WHERE kind = 'cashOut' AND state = 'waiting' AND subject = ANY($1)
        """
    let cashOuts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(cashOuts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}

/// Lists a market's approvals, oldest first.
struct ListApprovals: Statement {
    static let sql: SQL = """
        SELECT id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        FROM approvals
        WHERE market = $1 AND state = $2 AND ($3::timestamptz IS NULL OR (begun_at, id) > ($3, $4))
            AND ($6::text IS NULL OR kind = $6)
        ORDER BY begun_at, id LIMIT $5
        """
    let market: String
    let state: Approval.State
    let kind: Approval.Kind?
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, state.rawValue, after?.at, after?.id, limit, kind?.rawValue)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}

/// Serializes the daily sums of one account, or of one admin, until the commit.
struct LockDaySum: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('wallet.approval.' || $1, 0))::text"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account.uuidString) }

    /// Serializes several sums, in one order everywhere.
    static func send(_ accounts: Set<UUID>, in transaction: PostgresTransaction) {
        for account in accounts.sorted() { transaction.send(LockDaySum(account: account)) }
    }
}

/// Sums the cash-outs accepted for an account since a time, over all markets, in minor units.
struct SumAcceptedCashOuts: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM cash_outs
        WHERE account = $1 AND currency = $2 AND state IN ('paying', 'paid') AND decided_at >= $3
        """
    let account: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sums what an admin has decided alone since a time, of all kinds that may need a second admin, for anybody and in all
/// markets, in minor units: accepted cash-outs, refunds from the platform with what funders owed, the possible cost of
/// promo codes, and written-off debts.
struct SumDecidedAlone: Statement {
    static let sql: SQL = """
        SELECT least(
            (SELECT coalesce(sum(amount), 0) FROM cash_outs
                WHERE decided_by = $1 AND currency = $2 AND state IN ('paying', 'paid') AND decided_at >= $3
                    AND NOT EXISTS (
                        SELECT FROM approvals WHERE kind = 'cashOut' AND state = 'approved' AND subject = cash_outs.id))
            + (SELECT coalesce(sum(CASE WHEN funder = 'platform' THEN amount ELSE overdrawn END), 0) FROM refunds
                WHERE by = $1 AND currency = $2 AND at >= $3 AND (funder = 'platform' OR overdrawn > 0)
                    AND NOT EXISTS (
                        SELECT FROM approvals
                        WHERE kind = 'refund' AND state = 'approved' AND subject = refunds.order_id
                            AND decided_at = refunds.at))
            + (SELECT coalesce(sum(coalesce(maximum, amount)::numeric * use_limit), 0) FROM promo_codes
                WHERE made_by = $1 AND currency = $2 AND made_at >= $3
                    AND NOT EXISTS (
                        SELECT FROM approvals
                        WHERE kind = 'promoCode' AND state = 'approved' AND subject = promo_codes.id))
            + (SELECT coalesce(sum(amount), 0) FROM write_offs
                WHERE by = $1 AND currency = $2 AND at >= $3 AND approved_by IS NULL),
            1000000000000000)::bigint
        """
    let admin: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(admin, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sums what the platform refunded to a customer since a time, in all markets, including what funders owed, in minor
/// units.
struct SumPlatformRefunds: Statement {
    static let sql: SQL = """
        SELECT ((SELECT coalesce(sum(amount), 0) FROM refunds
                WHERE funder = 'platform' AND customer = $1 AND at >= $3 AND currency = $2)
            + (SELECT coalesce(sum(overdrawn), 0) FROM refunds
                WHERE overdrawn > 0 AND customer = $1 AND at >= $3 AND currency = $2))::bigint
        """
    let customer: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(customer, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sums the refunds of an order that wait for a second admin, in minor units. The customer's ``LockDaySum`` must be
/// held.
struct SumWaitingRefunds: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM approvals
        WHERE market = $2 AND state = 'waiting' AND kind = 'refund' AND subject = $1
        """
    let order: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Serializes promo codes with one name until the commit.
struct LockPromoCodeName: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('wallet.promo-code:' || $1 || ':' || $2, 0))::text"
    let market: String
    let code: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, code) }
}

/// Finds a waiting promo code with a name. Requires ``LockPromoCodeName``.
struct FindWaitingPromoCode: Statement {
    static let sql: SQL = """
        SELECT id FROM approvals
        WHERE market = $1 AND state = 'waiting' AND kind = 'promoCode' AND wish #>> '{promoCode,_0,code}' = $2 LIMIT 1
        """
    let market: String
    let code: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, code) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Sums the write-offs of an account's debt that wait for a second admin of a market, in minor units. The account's
/// ``LockDaySum`` must be held.
struct SumWaitingWriteOffs: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM approvals
        WHERE market = $2 AND state = 'waiting' AND kind = 'writeOff' AND subject = $1 AND currency = $3
        """
    let account: UUID
    let market: String
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Ends the waiting approval of a locked cash-out that was stopped, so that nobody is asked about it any more.
struct EndApprovalOfCashOut: Statement {
    static let sql: SQL = """
        UPDATE approvals SET state = 'rejected', decided_at = $2, reason = $3
        WHERE kind = 'cashOut' AND state = 'waiting' AND subject = $1
        RETURNING id, market, kind, subject, currency, amount, wish::text, begun_by, begun_at, state, decided_by, decided_at,
            reason
        """
    let cashOut: UUID
    let at: Date
    let reason: String
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut, at, reason) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Approval { try Approval(row: &row) }
}
