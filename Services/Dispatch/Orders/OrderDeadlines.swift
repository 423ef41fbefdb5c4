import Foundation
import Messaging

extension OrderWindow {
    /// Kind of the window's deadlines.
    var deadlineKind: String { "order.\(rawValue)" }
}

/// Handlers of the deadlines of orders.
enum OrderDeadlines {
    /// A deadline is due by the database's clock. By this process's clock it may still be too early; the order would
    /// then seem to be waiting, and no further deadline would look at it. So the later of both times counts.
    static func handlers(
        _ end: EndOrderWindow, _ endBanned: ApplyBanToOrder, clock: @escaping @Sendable () -> Date
    ) -> [String: DeadlineRunner.Operation] {
        var handlers: [String: DeadlineRunner.Operation] = [:]
        for window in OrderWindow.allCases {
            handlers[window.deadlineKind] = { deadline, transaction in
                // Only this program writes subjects; ignores any other text.
                guard let order = UUID(uuidString: deadline.subject) else { return }
                try await end(window, of: order, due: deadline.dueAt, at: deadline.now(by: clock), in: transaction)
            }
        }
        handlers[WarnOfDesk.deadlineKind] = { deadline, transaction in
            guard let order = UUID(uuidString: deadline.subject) else { return }
            try await WarnOfDesk()(order, due: deadline.dueAt, at: deadline.now(by: clock), in: transaction)
        }
        handlers[RemindOfAppointment.deadlineKind] = { deadline, transaction in
            guard let order = UUID(uuidString: deadline.subject) else { return }
            try await RemindOfAppointment(markets: end.change.markets)(
                order, due: deadline.dueAt, at: deadline.now(by: clock), in: transaction)
        }
        handlers[ApplyBanToOrder.deadlineKind] = { deadline, transaction in
            guard let order = UUID(uuidString: deadline.subject) else { return }
            try await endBanned(order, at: deadline.now(by: clock), in: transaction)
        }
        handlers[EndOrdersOfLostRole.deadlineKind] = { deadline, transaction in
            try await EndOrdersOfLostRole.end(deadline.subject, at: deadline.now(by: clock), in: transaction)
        }
        handlers[EndSeries.deadlineKind] = { deadline, transaction in
            try await EndSeries.fire(deadline.subject, at: deadline.now(by: clock), in: transaction)
        }
        return handlers
    }
}
