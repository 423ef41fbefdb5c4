import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps what parties report, and how long it has waited.
enum RecordReport {
    static func opened(_ event: ReportOpened, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(InsertReport(report: event))
        transaction.send(
            InsertOrderEvent(
                order: event.order,
                event: OrderEventRow(
                    message: message, at: event.at, name: ReportOpened.name.text, state: nil, version: nil,
                    actor: event.by.rawValue, reason: event.reason)))
    }

    /// Its entry of the timeline is written before.
    static func undecided(_ event: OrderUndecided, in transaction: PostgresTransaction) {
        guard let report = event.order.report else { return }
        transaction.send(RemindOfReport(report: report, order: event.order.order))
    }
}
