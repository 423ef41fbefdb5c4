import Contracts
import Foundation
import Messaging
import Postgres

/// Stores parties' reports, and whether their decision is overdue.
enum RecordReport {
    static func opened(_ event: ReportOpened, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(InsertReport(report: event))
        OrderWriter.of(transaction).add(
            OrderEventRow(
                message: message, at: event.at, name: ReportOpened.name.text, state: nil, version: nil,
                actor: event.by.rawValue, reason: event.reason),
            of: event.order)
    }

    /// Counts only the reminder; the timeline's entry is recorded like that of any order event.
    static func undecided(_ event: OrderUndecided, in transaction: PostgresTransaction) {
        guard let report = event.order.report else { return }
        OrderWriter.of(transaction).remind(of: report, order: event.order.order)
    }
}
