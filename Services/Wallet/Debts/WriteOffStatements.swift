import Foundation
import Postgres

struct InsertWriteOff: Statement {
    static let sql: SQL = """
        INSERT INTO write_offs (id, market, account, currency, amount, reason, by, approved_by, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """
    let writeOff: WriteOff
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            writeOff.id, writeOff.market, writeOff.account, writeOff.currency, writeOff.amount, writeOff.reason,
            writeOff.by, writeOff.approvedBy, writeOff.at)
    }
}

/// Lists what was written off in a market, newest first.
struct ListWriteOffs: Statement {
    static let sql: SQL = """
        SELECT id, market, account, currency, amount, reason, by, approved_by, at FROM write_offs
        WHERE market = $1 AND ($2::uuid IS NULL OR account = $2)
            AND ($3::timestamptz IS NULL OR at >= $3) AND ($4::timestamptz IS NULL OR at < $4)
            AND ($5::timestamptz IS NULL OR (at, id) < ($5, $6))
        ORDER BY at DESC, id DESC LIMIT $7
        """
    let market: String
    let account: UUID?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, account, from, to, after?.at, after?.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WriteOff {
        WriteOff(
            id: try row.next(), market: try row.next(), account: try row.next(), currency: try row.next(),
            amount: try row.next(), reason: try row.next(), by: try row.next(), approvedBy: try row.next(),
            at: try row.next())
    }
}

/// Sums in minor units by which a market's orders, refunds and disputes have taken a wallet below zero since it was last
/// not below zero, less what the market's admins have written off since. Earlier overdrafts are paid.
struct SumOverdrafts: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(CASE WHEN entries.amount < 0 THEN least(-entries.amount, -entries.balance)
            ELSE -entries.amount END), 0)::bigint
        FROM accounts JOIN entries ON entries.account = accounts.id
        JOIN transfers ON transfers.id = entries.transfer
        WHERE accounts.owner = $1 AND accounts.kind = 'wallet' AND accounts.currency = $2 AND accounts.shard = 0
            AND entries.id > coalesce((
                SELECT earlier.id FROM entries AS earlier WHERE earlier.account = accounts.id AND earlier.balance >= 0
                ORDER BY earlier.id DESC LIMIT 1), 0)
            AND (entries.amount < 0
                    AND (EXISTS (SELECT FROM payments WHERE order_id = transfers.subject AND market = $3)
                        OR EXISTS (SELECT FROM fines WHERE order_id = transfers.subject AND market = $3)
                        OR EXISTS (SELECT FROM refunds WHERE id = transfers.subject AND market = $3)
                        OR EXISTS (SELECT FROM disputes WHERE id = transfers.subject AND market = $3))
                OR entries.amount > 0
                    AND EXISTS (SELECT FROM write_offs WHERE id = transfers.subject AND market = $3))
        """
    let account: UUID
    let currency: String
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Sums what was written off for an account since a time, over all markets, in minor units.
struct SumWriteOffs: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM write_offs WHERE account = $1 AND currency = $2 AND at >= $3
        """
    let account: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Returns a row when one account waits for money from another.
struct FindWaitingBetween: Statement {
    static let sql: SQL =
        "SELECT number FROM debts WHERE debtor = $1 AND receiver = $2 AND unpaid > 0 LIMIT 1"
    let debtor: UUID
    let receiver: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(debtor, receiver) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Lists a market's debtors for whom somebody waits, each with each currency, the longest waiting first.
struct ListDebtors: Statement {
    struct Row: Sendable {
        let account: UUID
        let currency: String
        /// Minor units that people wait for.
        let waiting: Int
        let receivers: Int
        let since: Date
    }

    static let sql: SQL = """
        SELECT debtor, currency, waiting, receivers, since FROM (
            SELECT debtor, currency, sum(unpaid)::bigint AS waiting, count(DISTINCT receiver) AS receivers, min(made_at) AS since
            FROM debts WHERE market = $1 AND ($2::text IS NULL OR currency = $2) AND unpaid > 0 GROUP BY debtor, currency
        ) AS owing
        WHERE $3::timestamptz IS NULL OR (since, debtor) > ($3, $4)
        ORDER BY since, debtor LIMIT $5
        """
    let market: String
    /// Nil for all.
    let currency: String?
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, currency, after?.at, after?.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), currency: try row.next(), waiting: try row.next(), receivers: try row.next(),
            since: try row.next())
    }
}

/// Sums what people wait for from an account, over all markets, in minor units.
struct SumWaitingFor: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(unpaid), 0)::bigint FROM debts WHERE debtor = $1 AND currency = $2 AND unpaid > 0
        """
    let debtor: UUID
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(debtor, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Removes the admins' words about a deleted debtor; the amounts stay.
struct ForgetInWriteOffs: Statement {
    static let sql: SQL = "UPDATE write_offs SET reason = '' WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
