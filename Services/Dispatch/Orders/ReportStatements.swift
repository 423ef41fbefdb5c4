import Foundation
import Postgres

/// A stored report or complaint of a party.
struct StoredReport: Sendable, Equatable {
    let id: UUID
    let order: UUID
    let by: OrderActor
    let reason: String
    let note: String?
    let cancels: Bool
    let at: Date
    var answer: String?
    var answeredAt: Date?
}

struct InsertReport: Statement {
    static let sql: SQL = """
        INSERT INTO reports (id, order_id, made_by, reason, note, cancels, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
        """
    let report: StoredReport
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            report.id, report.order, report.by.rawValue, report.reason, report.note, report.cancels, report.at)
    }
}

/// All reports of an order, oldest first; at most ``ReportOrder/maximum`` per party.
struct ListReports: Statement {
    static let sql: SQL = """
        SELECT id, order_id, made_by, reason, note, cancels, at, answer, answered_at
        FROM reports WHERE order_id = $1 ORDER BY at, id
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredReport {
        let (id, order, by): (UUID, UUID, String) = (try row.next(), try row.next(), try row.next())
        return StoredReport(
            id: id, order: order, by: OrderActor(rawValue: by) ?? .customer,
            reason: try row.next(), note: try row.next(), cancels: try row.next(), at: try row.next(),
            answer: try row.next(), answeredAt: try row.next())
    }
}

/// Stores an admin's answer; only the first one counts.
struct StoreAnswer: Statement {
    static let sql: SQL = """
        UPDATE reports SET answer = $2, answered_at = $3 WHERE id = $1 AND answer IS NULL
        """
    let report: UUID
    let answer: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(report, answer, at) }
}

/// Deletes all words of the reports of an account's orders, by the account and about it, and from the reasons of orders.
/// The reports themselves stay; an answer that was given stays as an empty one.
struct ForgetReports: Statement {
    static let sql: SQL = """
        WITH told AS (
            UPDATE reports SET note = NULL, answer = CASE WHEN reports.answer IS NOT NULL THEN '' END FROM orders
            WHERE orders.id = reports.order_id AND (reports.note IS NOT NULL OR reports.answer <> '')
                AND (orders.customer = $1 OR orders.provider = $1 OR orders.merchant = $1)
            RETURNING reports.id, reports.order_id, reports.reason, reports.cancels
        )
        UPDATE orders SET reason = told.reason FROM told
        WHERE orders.id = told.order_id AND told.cancels AND told.reason = 'other'
            AND orders.reason IS DISTINCT FROM 'report-decided'
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
