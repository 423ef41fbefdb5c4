import Foundation
import Messaging
import Postgres

/// The time for something is over: the order expires, is cancelled or is completed, as its workflow says.
struct EndOrderWindow: Sendable {
    /// When to look again at an order that is being changed at this moment.
    static let pauseSeconds = 0.05

    let change: ChangeOrder

    /// Does nothing when the order waits for something else by now, or for longer.
    ///
    /// It never waits for the order's lock: who has it may be about to clear this very deadline, whose row the caller
    /// has taken. Neither would end. Instead it looks again a moment later.
    func callAsFunction(
        _ window: OrderWindow, of id: UUID, due: Date, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let (locks, rows) = try await transaction.queryAll(TryLockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, !order.state.isFinal else { return }
        guard !locks.isEmpty else {
            let again = max(due, now).addingTimeInterval(Self.pauseSeconds)
            return transaction.set(Deadline(kind: window.deadlineKind, subject: id.text, dueAt: again))
        }
        guard let end = order.deadline, end <= due else { return }
        try change.bySystem(.windowOver(window), to: order, at: now, in: transaction)
    }
}
