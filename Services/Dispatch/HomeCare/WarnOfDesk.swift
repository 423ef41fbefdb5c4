import Contracts
import Foundation
import Messaging
import Postgres

/// Tells early that a visit at the desk has nobody yet (O7): the customer may wait, choose another time or cancel for
/// nothing, and the desk shows the visit first.
struct WarnOfDesk: Sendable {
    static let deadlineKind = "order.desk-warning"
    /// When a visit that comes to the desk is told of; nil where its wait ends before.
    static func due(_ order: Order, _ settings: MarketSettings) -> Date? {
        let due =
            order.scheduledAt.map { max($0 - Double(settings.visitWarningSeconds), order.changedAt) }
            ?? order.changedAt + Double(settings.deskWarningSeconds)
        guard let end = order.deadline, due < end else { return nil }
        return due
    }

    /// Does nothing for a visit that does not wait at the desk any more. Never waits for the order's lock, as
    /// ``EndOrderWindow``.
    func callAsFunction(_ id: UUID, due: Date, at now: Date, in transaction: PostgresTransaction) async throws {
        let (locks, rows) = try await transaction.queryAll(TryLockOrder(order: id), FindOrder(order: id))
        guard var order = try rows.first?.details().order, order.state == .requested, var care = order.homeCare else {
            return
        }
        guard !locks.isEmpty else {
            let again = max(due, now).addingTimeInterval(EndOrderWindow.pauseSeconds)
            return transaction.set(Deadline(kind: Self.deadlineKind, subject: id.text, dueAt: again))
        }
        care.warnedAt = now
        order.particulars = .homeCare(care)
        transaction.send(try UpdateParticulars(order))
        try transaction.publish(OrderNobodyYet(order: OrderSnapshot(order), at: now))
    }
}
