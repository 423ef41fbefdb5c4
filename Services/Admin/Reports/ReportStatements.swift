import Contracts
import Foundation
import Postgres

/// A party's report about an order, with the admin's reply.
struct ReportRow: Sendable {
    enum State: String, Sendable, CaseIterable { case open, decided, answered }

    let id: UUID
    let order: UUID
    let market: String
    let by: String
    let account: UUID
    let reason: String
    let note: String?
    let cancels: Bool
    let awaitsDecision: Bool
    let at: Date
    let state: String
    let reminders: Int
    let decision: String?
    let toCustomer: Int?
    let reply: String?
    let closedBy: UUID?
    let closedAt: Date?
    /// The names of the author and of the admin, if known.
    let name: String?
    let closerName: String?

    var isOpen: Bool { state == State.open.rawValue }

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        order = try row.next()
        market = try row.next()
        by = try row.next()
        account = try row.next()
        reason = try row.next()
        note = try row.next()
        cancels = try row.next()
        awaitsDecision = try row.next()
        at = try row.next()
        state = try row.next()
        reminders = try row.next()
        decision = try row.next()
        toCustomer = try row.next()
        reply = try row.next()
        closedBy = try row.next()
        closedAt = try row.next()
        name = try row.next()
        closerName = try row.next()
    }
}

struct InsertReport: Statement {
    static let sql: SQL = """
        INSERT INTO reports (id, order_id, market, made_by, account, reason, note, cancels, awaits_decision, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (id) DO NOTHING
        """
    let report: ReportOpened
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            report.report, report.order, report.market, report.by.rawValue, report.account, report.reason, report.note,
            report.cancels, report.awaitsDecision, report.at)
    }
}

/// Sets the number of times that the market's time for a decision was over.
///
/// Counts the timeline's entries since the report, so that a repeated message counts once, and an earlier report's
/// reminders do not count.
struct RemindOfReport: Statement {
    static let sql: SQL = """
        UPDATE reports SET reminders = (
            SELECT count(*) FROM order_events WHERE order_id = $2 AND name = 'dispatch.order.undecided.v1'
                AND order_events.at >= reports.at)
        WHERE id = $1
        """
    let report: UUID
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(report, order) }
}

/// Locks the report until the commit: of two admins one is first.
struct LockReport: Statement {
    static let sql: SQL = """
        SELECT r.id, r.order_id, r.market, r.made_by, r.account, r.reason, r.note, r.cancels, r.awaits_decision, r.at,
            r.state, r.reminders, r.decision, r.to_customer, r.reply, r.closed_by, r.closed_at, NULL, NULL
        FROM reports AS r WHERE r.id = $1 FOR UPDATE
        """
    let report: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(report) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ReportRow { try ReportRow(&row) }
}

struct CloseReport: Statement {
    static let sql: SQL = """
        UPDATE reports SET state = $2, decision = $3, to_customer = $4, reply = $5, closed_by = $6, closed_at = $7
        WHERE id = $1
        """
    let report: UUID
    let state: ReportRow.State
    let decision: String?
    let toCustomer: Int?
    let reply: String
    let admin: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(report, state.rawValue, decision, toCustomer, reply, admin, at)
    }
}

/// Finds the order of a report.
struct FindReportOrder: Statement {
    static let sql: SQL = "SELECT order_id FROM reports WHERE id = $1"
    let report: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(report) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Lists all reports of an order, oldest first. Dispatch limits their number per party.
struct ListReportsOfOrder: Statement {
    static let sql: SQL = """
        SELECT r.id, r.order_id, r.market, r.made_by, r.account, r.reason, r.note, r.cancels, r.awaits_decision, r.at,
            r.state, r.reminders, r.decision, r.to_customer, r.reply, r.closed_by, r.closed_at, reporter.name, closer.name
        FROM reports AS r
        LEFT JOIN people AS reporter ON reporter.account = r.account
        LEFT JOIN people AS closer ON closer.account = r.closed_by
        WHERE r.order_id = $1 ORDER BY r.at, r.id LIMIT 100
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ReportRow { try ReportRow(&row) }
}

/// Lists a market's reports, longest waiting first.
struct ListReports: Statement {
    static let sql: SQL = """
        SELECT r.id, r.order_id, r.market, r.made_by, r.account, r.reason, r.note, r.cancels, r.awaits_decision, r.at,
            r.state, r.reminders, r.decision, r.to_customer, r.reply, r.closed_by, r.closed_at, reporter.name, closer.name
        FROM reports AS r
        LEFT JOIN people AS reporter ON reporter.account = r.account
        LEFT JOIN people AS closer ON closer.account = r.closed_by
        WHERE r.market = $1 AND r.state = $2 AND (r.at, r.id) > ($3, $4)
            AND ($5::boolean IS NULL OR r.awaits_decision = $5) AND ($6::boolean IS NULL OR (r.reminders > 0) = $6)
        ORDER BY r.at, r.id LIMIT $7
        """
    let market: String
    let state: ReportRow.State
    let awaitsDecision: Bool?
    let isOverdue: Bool?
    let after: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, state.rawValue)
        after.bind(&bindings)
        bindings.append(awaitsDecision, isOverdue, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ReportRow { try ReportRow(&row) }
}

/// How many reports of a market nobody has closed.
struct CountOpenReports: Statement {
    static let sql: SQL = "SELECT count(*) FROM reports WHERE market = $1 AND state = 'open'"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Removes the texts of these orders' reports everywhere, with the replies; the reports stay.
struct ForgetReports: Statement {
    static let sql: SQL = """
        WITH told AS (
            SELECT order_id, note FROM reports WHERE order_id = ANY ($1) AND reason = 'other' AND note IS NOT NULL
        ), events AS (
            UPDATE order_events SET reason = 'other' FROM told
            WHERE order_events.order_id = told.order_id AND order_events.reason = told.note
        ), snapshots AS (
            UPDATE orders SET snapshot = jsonb_set(snapshot, '{reason}', '"other"') FROM told
            WHERE orders.id = told.order_id AND orders.snapshot ->> 'reason' = told.note
        )
        UPDATE reports SET note = NULL, reply = CASE WHEN reply IS NOT NULL THEN '' END WHERE order_id = ANY ($1)
        """
    /// The orders of ``LockOrdersOfPerson``.
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
}
