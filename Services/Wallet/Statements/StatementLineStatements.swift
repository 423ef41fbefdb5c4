import Foundation
import Postgres

/// Inserts a line or updates it. An identical line is not touched.
struct StoreStatementLine: Statement {
    static let sql: SQL = """
        INSERT INTO statement_lines (
            id, account, source, kind, market, currency, amount, order_id, method, title, payer, beneficiary, state,
            reason, at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
        ON CONFLICT (account, source) DO UPDATE
        SET kind = excluded.kind, amount = excluded.amount, method = excluded.method,
            beneficiary = excluded.beneficiary, payer = excluded.payer, state = excluded.state,
            reason = excluded.reason, changed_at = excluded.changed_at
        WHERE (statement_lines.kind, statement_lines.amount, statement_lines.method, statement_lines.beneficiary,
                statement_lines.payer, statement_lines.state, statement_lines.reason)
            IS DISTINCT FROM (excluded.kind, excluded.amount, excluded.method, excluded.beneficiary, excluded.payer,
                excluded.state, excluded.reason)
        """
    let id: UUID
    let line: StatementLine
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, line.account, line.source, line.kind.rawValue, line.market, line.currency, line.amount, line.order,
            line.method?.rawValue, StoredText.encode(line.title), line.payer, line.beneficiary, line.state.rawValue,
            line.reason, at)
    }
}

/// Marks the line of a refund as made. A method is given when the money went elsewhere than requested.
struct AcceptRefundLine: Statement {
    static let sql: SQL = """
        UPDATE statement_lines SET state = 'accepted', method = coalesce($4, method), changed_at = $3
        WHERE account = $1 AND source = $2
        """
    let account: UUID
    let source: String
    let method: PaymentMethod?
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, source, at, method?.rawValue) }
}

struct StatementLineRow: Sendable {
    let id: UUID
    let line: StatementLine
    let at: Date

    fileprivate init(row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        line = StatementLine(
            account: try row.next(), source: try row.next(), kind: try row.choice(StatementLine.Kind.self),
            market: try row.next(), currency: try row.next(), amount: try row.next(), order: try row.next(),
            method: try row.optionalChoice(PaymentMethod.self), title: StoredText.decode(try row.next()),
            payer: try row.next(), beneficiary: try row.next(), state: try row.choice(StatementLine.State.self),
            reason: try row.next(), waiting: try row.next())
        at = try row.next()
    }
}

/// The filter of a page of a statement.
struct StatementFilter: Sendable {
    let account: UUID
    let currency: String?
    let state: StatementLine.State?
    let kind: StatementLine.Kind?
    let from: Date?
    let to: Date?
    let after: (at: Date, id: UUID)?
    let limit: Int

    fileprivate func bind(_ bindings: inout Bindings) {
        bindings.append(account, currency, state?.rawValue, after?.at, after?.id, limit, kind?.rawValue, from, to)
    }
}

struct ListStatementOldestFirst: Statement {
    static let sql: SQL = """
        SELECT id, account, source, kind, market, currency, amount, order_id, method, title::text, payer, beneficiary,
            CASE WHEN waiting > 0 AND state = 'accepted' THEN 'waiting' ELSE state END, reason, waiting, at
        FROM statement_lines
        WHERE account = $1 AND ($2::text IS NULL OR currency = $2) AND ($3::text IS NULL
                OR CASE WHEN waiting > 0 AND state = 'accepted' THEN 'waiting' ELSE state END = $3)
            AND ($4::timestamptz IS NULL OR (at, id) > ($4, $5)) AND ($7::text IS NULL OR kind = $7)
            AND ($8::timestamptz IS NULL OR at >= $8) AND ($9::timestamptz IS NULL OR at < $9)
        ORDER BY at, id LIMIT $6
        """
    let filter: StatementFilter
    func bind(_ bindings: inout Bindings) { filter.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StatementLineRow {
        try StatementLineRow(row: &row)
    }
}

struct ListStatementNewestFirst: Statement {
    static let sql: SQL = """
        SELECT id, account, source, kind, market, currency, amount, order_id, method, title::text, payer, beneficiary,
            CASE WHEN waiting > 0 AND state = 'accepted' THEN 'waiting' ELSE state END, reason, waiting, at
        FROM statement_lines
        WHERE account = $1 AND ($2::text IS NULL OR currency = $2) AND ($3::text IS NULL
                OR CASE WHEN waiting > 0 AND state = 'accepted' THEN 'waiting' ELSE state END = $3)
            AND ($4::timestamptz IS NULL OR (at, id) < ($4, $5)) AND ($7::text IS NULL OR kind = $7)
            AND ($8::timestamptz IS NULL OR at >= $8) AND ($9::timestamptz IS NULL OR at < $9)
        ORDER BY at DESC, id DESC LIMIT $6
        """
    let filter: StatementFilter
    func bind(_ bindings: inout Bindings) { filter.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StatementLineRow {
        try StatementLineRow(row: &row)
    }
}
