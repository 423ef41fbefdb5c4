import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Tells the parties of an order for later that its time comes near (N7). Each reminder is a deadline of the order, set anew
/// by each of its changes, so that another time has other reminders, and an order that has ended has none.
struct RemindOfAppointment: Sendable {
    static let deadlineKind = "order.appointment"

    let markets: LiveMarkets

    /// Never waits for the order's lock, as ``EndOrderWindow``.
    func callAsFunction(_ id: UUID, due: Date, at now: Date, in transaction: PostgresTransaction) async throws {
        let (locks, rows) = try await transaction.queryAll(TryLockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, AppointmentReminder.states.contains(order.state),
            let time = order.scheduledAt, time > now
        else { return }
        guard !locks.isEmpty else {
            let again = max(due, now).addingTimeInterval(EndOrderWindow.pauseSeconds)
            return transaction.set(Deadline(kind: Self.deadlineKind, subject: id.text, dueAt: again))
        }
        try transaction.publish(AppointmentNear(order: OrderSnapshot(order), at: now))
        guard let settings = markets.settings(of: order.market) else { return }
        transaction.setReminder(of: order, settings, after: now)
    }
}

extension PostgresTransaction {
    /// Sets the order's next reminder in place of the one that is set; without a further one none stays.
    func setReminder(of order: Order, _ settings: MarketSettings, after now: Date) {
        let seconds = [settings.firstReminderSeconds, settings.lastReminderSeconds]
        if let due = AppointmentReminder.next(order, secondsBefore: seconds, after: now) {
            set(Deadline(kind: RemindOfAppointment.deadlineKind, subject: order.id.text, dueAt: due))
        } else {
            clearDeadline(kind: RemindOfAppointment.deadlineKind, subject: order.id.text)
        }
    }
}
