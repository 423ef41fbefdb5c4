import Foundation
import Messaging
import Postgres

/// Applies the end of a window: the order expires, is cancelled or is completed, as its workflow says.
struct EndOrderWindow: Sendable {
    /// Seconds until the next attempt at a locked order.
    static let pauseSeconds = 0.05

    let change: ChangeOrder

    /// Does nothing if the order by now waits for something else, or for longer.
    ///
    /// Never waits for the order's lock: its holder may be about to clear this deadline, whose row the caller has
    /// locked, which would be a deadlock. Never waits for the provider's lock either: deadlines fire in batches within
    /// one transaction, in the order in which they are due, and two workers could lock two couriers crosswise. If a
    /// lock is taken, the deadline is set again for a moment later.
    ///
    /// - Parameter looksAgain: false if the caller is a round instead of a deadline. A round looks again by itself, and
    ///   the order's deadline, which may be later by now, stays unchanged.
    func callAsFunction(
        _ window: OrderWindow, of id: UUID, due: Date, at now: Date, looksAgain: Bool = true,
        in transaction: PostgresTransaction
    ) async throws {
        let (locks, isProviderTaken, rows) = try await transaction.queryAll(
            TryLockOrder(order: id), TryLockProviderOf(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, !order.state.isFinal else { return }
        let again = Deadline(
            kind: window.deadlineKind, subject: id.text, dueAt: max(due, now).addingTimeInterval(Self.pauseSeconds))
        guard !locks.isEmpty else {
            if looksAgain { transaction.set(again) }
            return
        }
        guard let end = order.deadline, end <= due else { return }
        guard isProviderTaken.first != true else {
            if looksAgain { transaction.set(again) }
            return
        }
        var trigger = OrderTrigger.windowOver(window)
        if window == .confirmation, order.ride?.endAskedAt != nil {
            trigger = .confirmEarlyEnd(
                cost: try await RideCost()(of: order, until: now, in: transaction).cost, isWindow: true)
        }
        try change.bySystem(trigger, to: order, at: now, in: transaction)
    }
}
