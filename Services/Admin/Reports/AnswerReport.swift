import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit

/// Answers a report that needs no decision and notifies its author.
enum AnswerReport {
    /// - Throws: ``Problem``: 404 for a report of a market that the caller does not administer, 403 for a report of the
    ///   caller's own order, 409 for one that is closed, waits for a decision, or whose order is not known yet.
    static func answer(
        _ id: UUID, _ answer: String, by caller: Caller, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (report, _) = try await ReportRow.open(id, for: caller, in: transaction)
        guard !report.awaitsDecision else { throw Problem("decision-wanted", status: .conflict) }
        let admin = caller.accountID
        transaction.send(
            CloseReport(
                report: id, state: .answered, decision: nil, toCustomer: nil, reply: answer, admin: admin, at: now))
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: now, market: report.market, service: "admin", action: "report.answered",
                    account: admin, subject: id.text, before: nil,
                    after: try AuditEntry.values(["order": report.order.text, "answer": answer]))))
        try transaction.publish(
            ReportAnswered(
                report: id, order: report.order, market: report.market, account: report.account, answer: answer,
                by: admin, at: now))
    }
}
