import Foundation
import Postgres

/// Inserts a statement line. An existing line is kept, since it may already have a later state.
struct AddStatementLine: Statement {
    static let sql: SQL = """
        INSERT INTO statement_lines (
            id, account, source, kind, market, currency, amount, order_id, method, title, payer, beneficiary, state,
            reason, at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
        ON CONFLICT (account, source) DO NOTHING
        """
    let id: UUID
    let line: StatementLine
    let at: Date
    func bind(_ bindings: inout Bindings) {
        StoreStatementLine(id: id, line: line, at: at).bind(&bindings)
    }
}

/// Ends the statement line of a hold's owner. Only a line that is still waiting changes.
struct EndHoldLine: Statement {
    static let sql: SQL = """
        UPDATE statement_lines
        SET state = $2, reason = $3, amount = coalesce($4, statement_lines.amount), changed_at = $5
        FROM holds
        WHERE holds.id = $1 AND statement_lines.account = holds.owner
            AND statement_lines.source = 'hold:' || $1::uuid::text AND statement_lines.state = 'waiting'
        """
    let hold: UUID
    let state: StatementLine.State
    let reason: String?
    /// The amount paid; nil keeps the line's amount.
    let amount: Int?
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(hold, state.rawValue, reason, amount, at) }
}

/// Adds a line for each receiver of a hold's shares, copied from the owner's line while that line is waiting.
struct AddShareLines: Statement {
    static let sql: SQL = """
        INSERT INTO statement_lines (
            id, account, source, kind, market, currency, amount, order_id, method, title, payer, beneficiary, state,
            at, changed_at)
        SELECT share.id, share.account, own.source, own.kind, own.market, own.currency, share.amount, own.order_id,
            own.method, own.title, own.payer, own.beneficiary, 'accepted', $5, $5
        FROM unnest($2::uuid[], $3::uuid[], $4::int8[]) AS share (id, account, amount), holds
        JOIN statement_lines AS own ON own.account = holds.owner AND own.source = 'hold:' || $1::uuid::text
        WHERE holds.id = $1 AND own.state = 'waiting'
        ORDER BY share.account
        ON CONFLICT (account, source) DO NOTHING
        """
    let hold: UUID
    let ids: [UUID]
    let accounts: [UUID]
    let amounts: [Int]
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(hold, ids, accounts, amounts, at) }
}

/// Marks the lines of a reversed transfer as rejected.
struct ReverseTransferLines: Statement {
    static let sql: SQL = """
        UPDATE statement_lines SET state = 'rejected', reason = 'reversed', changed_at = $2
        WHERE source = 'transfer:' || $1::uuid::text AND state = 'accepted' AND account IN (
            SELECT accounts.owner FROM transfers
            JOIN entries ON entries.transfer = transfers.id
            JOIN accounts ON accounts.id = entries.account
            WHERE transfers.key = 'transfer.post:' || $1::uuid::text)
        """
    let transfer: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(transfer, at) }
}
