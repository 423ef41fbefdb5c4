import Foundation
import Messaging

extension OrderWindow {
    /// The kind of its deadlines.
    var deadlineKind: String { "order.\(rawValue)" }
}

/// What fires when nobody acted in time.
enum OrderDeadlines {
    /// A deadline is due by the database's clock. By this program's it may be too early still: what it is about would be found
    /// to wait, and nobody would look at it again.
    static func now(for deadline: Deadline) -> Date { max(.thisMillisecond, deadline.dueAt) }

    static func handlers(
        _ end: EndOrderWindow, _ endBanned: EndBannedOrder
    ) -> [String: DeadlineRunner.Operation] {
        var handlers: [String: DeadlineRunner.Operation] = [:]
        for window in OrderWindow.allCases {
            handlers[window.deadlineKind] = { deadline, transaction in
                // Subjects are written by this program alone; another text is no order.
                guard let order = UUID(uuidString: deadline.subject) else { return }
                try await end(window, of: order, due: deadline.dueAt, at: now(for: deadline), in: transaction)
            }
        }
        handlers[EndBannedOrder.deadlineKind] = { deadline, transaction in
            guard let order = UUID(uuidString: deadline.subject) else { return }
            try await endBanned(order, at: now(for: deadline), in: transaction)
        }
        handlers[EndOrdersOfLostRole.deadlineKind] = { deadline, transaction in
            try await EndOrdersOfLostRole.end(deadline.subject, at: now(for: deadline), in: transaction)
        }
        handlers[EndSeries.deadlineKind] = { deadline, transaction in
            try await EndSeries.fire(deadline.subject, at: now(for: deadline), in: transaction)
        }
        return handlers
    }
}
