import Foundation

/// When the parties of an order for later are reminded of its time (N7).
enum AppointmentReminder {
    /// States in which the appointment is still ahead: somebody comes, and the work has not begun. A paid visit is `enRoute`
    /// from its payment on.
    static let states: Set<OrderState> = [.accepted, .enRoute]

    /// The next reminder.
    ///
    /// - Parameters:
    ///   - secondsBefore: how long before the appointment; 0 is none.
    ///   - now: reminders that were due until then are over, such as those of a visit that was ordered an hour before.
    static func next(_ order: Order, secondsBefore: [Int], after now: Date) -> Date? {
        guard let time = order.scheduledAt, order.provider != nil, states.contains(order.state) else { return nil }
        return secondsBefore.filter { $0 > 0 }.map { time.addingTimeInterval(-Double($0)) }.filter { $0 > now }.min()
    }
}
