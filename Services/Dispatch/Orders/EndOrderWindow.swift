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
    /// has taken. Neither would end. Nor does it wait for the provider's: deadlines are fired many in a transaction, in
    /// whichever order they were due, and two workers would take two couriers crosswise. Instead it looks again a moment
    /// later.
    ///
    /// - Parameter looksAgain: false where somebody else than a deadline says that the time is over, as a round does: its own
    ///   next look is near, and the order's deadline, which may be a later one by now, stays as it is.
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
            trigger = .settleEarly(
                cost: try await RideCost()(of: order, until: now, in: transaction).cost, isWindow: true)
        }
        try change.bySystem(trigger, to: order, at: now, in: transaction)
    }
}
