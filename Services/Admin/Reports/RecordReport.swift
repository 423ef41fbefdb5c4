import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps what parties report, and how long it has waited.
enum RecordReport {
    static func opened(_ event: ReportOpened, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(InsertReport(report: event))
        OrderWriter.of(transaction).add(
            OrderEventRow(
                message: message, at: event.at, name: ReportOpened.name.text, state: nil, version: nil,
                actor: event.by.rawValue, reason: event.reason),
            of: event.order)
    }

    /// Its entry of the timeline is recorded as that of any event of an order.
    static func undecided(_ event: OrderUndecided, in transaction: PostgresTransaction) {
        guard let report = event.order.report else { return }
        OrderWriter.of(transaction).remind(of: report, order: event.order.order)
    }
}
