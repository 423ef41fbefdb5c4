import Foundation
import Postgres

extension CashOut {
    /// Reads the columns of every statement that selects cash-outs, in this order.
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        self.init(
            id: try row.next(), account: try row.next(), market: try row.next(), currency: try row.next(),
            amount: try row.next(),
            destination: PayoutDestination(
                kind: try row.choice(PayoutDestination.Kind.self), reference: try row.next(), holder: try row.next(),
                bankName: try row.next(), country: try row.next(), lastFour: try row.next()),
            madeAt: try row.next())
        restore(
            state: try row.choice(State.self), reason: try row.next(), decidedBy: try row.next(),
            decidedAt: try row.next(), reference: try row.next(), tries: try row.next(), keyNumber: try row.next(),
            askedAt: try row.next(), misses: try row.next(), missedAt: try row.next(),
            faults: try row.next())
    }
}

struct InsertCashOut: Statement {
    static let sql: SQL = """
        INSERT INTO cash_outs (
            id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """
    let cashOut: CashOut
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            cashOut.id, cashOut.account, cashOut.market, cashOut.currency, cashOut.amount,
            cashOut.destination.kind.rawValue, cashOut.destination.reference, cashOut.destination.holder,
            cashOut.destination.bankName, cashOut.destination.country, cashOut.destination.lastFour, cashOut.madeAt,
            cashOut.state.rawValue)
    }
}

struct FindCashOut: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        FROM cash_outs WHERE id = $1
        """
    let cashOut: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}

struct LockCashOut: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        FROM cash_outs WHERE id = $1 FOR UPDATE
        """
    let cashOut: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}

/// Updates the changeable columns of a locked cash-out.
struct UpdateCashOut: Statement {
    static let sql: SQL = """
        UPDATE cash_outs
        SET state = $2, reason = $3, decided_by = $4, decided_at = $5, reference = $6,
            due_at = CASE WHEN $2 = 'paying' THEN now() + $7 * interval '1 second' END, key_number = $8, asked_at = $9,
            misses = $10, missed_at = $11, faults = $12,
            changed_at = CASE WHEN state = $2 THEN changed_at ELSE now() END
        WHERE id = $1
        """
    let cashOut: CashOut
    /// Seconds until the payment provider is asked next.
    let pauseSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            cashOut.id, cashOut.state.rawValue, cashOut.reason, cashOut.decidedBy, cashOut.decidedAt, cashOut.reference,
            pauseSeconds, cashOut.keyNumber, cashOut.askedAt, cashOut.misses, cashOut.missedAt, cashOut.faults)
    }
}

/// Claims due cash-outs for the length of a lease and counts a try.
struct ClaimCashOuts: Statement {
    static let sql: SQL = """
        UPDATE cash_outs SET due_at = now() + $2 * interval '1 second', tries = tries + 1
        WHERE id IN (SELECT id FROM cash_outs WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        """
    let limit: Int
    let leaseSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(limit, leaseSeconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}

/// Records that the payment provider is asked about a locked cash-out, and may know its key from now on.
struct MarkCashOutAsked: Statement {
    static let sql: SQL = "UPDATE cash_outs SET asked_at = $2 WHERE id = $1"
    let cashOut: CashOut
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut.id, cashOut.askedAt) }
}

/// Locks an account's cash-outs that wait for an admin, oldest first.
struct LockWaitingCashOuts: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        FROM cash_outs WHERE account = $1 AND currency = $2 AND state = 'waiting' ORDER BY id FOR UPDATE
        """
    let account: UUID
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}

/// Postpones a cash-out whose answer is not known.
struct PostponeCashOut: Statement {
    static let sql: SQL =
        "UPDATE cash_outs SET due_at = now() + $2 * interval '1 second' WHERE id = $1 AND state = 'paying'"
    let cashOut: UUID
    let pauseSeconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut, pauseSeconds) }
}

/// Seconds until the next cash-out is due.
struct NextCashOut: Statement {
    static let sql: SQL =
        "SELECT extract(epoch FROM min(due_at) - now())::float8 FROM cash_outs WHERE due_at IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double? { try row.next() }
}

/// Sums what an account has requested since a time, in minor units, without rejected and failed cash-outs.
struct SumCashOuts: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint, min(made_at) FROM cash_outs
        WHERE account = $1 AND currency = $2 AND made_at >= $3 AND state NOT IN ('rejected', 'failed')
        """
    let account: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> DailyLimit.Used {
        DailyLimit.Used(sum: try row.next(), oldest: try row.next())
    }
}

/// The filter of a list of cash-outs, oldest first.
struct CashOutFilter: Sendable {
    /// The owner; nil for all of a market.
    let account: UUID?
    /// The market; nil for all of an account.
    let market: String?
    let state: CashOut.State?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
}

struct ListCashOutsOfAccount: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        FROM cash_outs
        WHERE account = $1 AND ($2::text IS NULL OR state = $2)
            AND ($3::timestamptz IS NULL OR (made_at, id) > ($3, $4))
        ORDER BY made_at, id LIMIT $5
        """
    let filter: CashOutFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(filter.account, filter.state?.rawValue, filter.after?.at, filter.after?.id, filter.limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}

struct ListCashOutsOfMarket: Statement {
    static let sql: SQL = """
        SELECT id, account, market, currency, amount, destination_kind, destination, holder, bank_name, country, last_four,
            made_at, state, reason, decided_by, decided_at, reference, tries, key_number, asked_at, misses, missed_at, faults
        FROM cash_outs
        WHERE market = $1 AND ($2::text IS NULL OR state = $2) AND ($3::uuid IS NULL OR account = $3)
            AND ($4::timestamptz IS NULL OR made_at >= $4) AND ($5::timestamptz IS NULL OR made_at < $5)
            AND ($6::timestamptz IS NULL OR (made_at, id) > ($6, $7))
        ORDER BY made_at, id LIMIT $8
        """
    let filter: CashOutFilter
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            filter.market, filter.state?.rawValue, filter.account, filter.from, filter.to, filter.after?.at,
            filter.after?.id, filter.limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CashOut { try CashOut(row: &row) }
}
