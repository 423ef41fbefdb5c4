import Contracts
import Foundation
import Messaging
import Postgres

/// Stores the newest snapshot of each order, and all its events with their times.
enum RecordOrder {
    static func event<Event: OrderEvent>(_ event: Event, message: UUID, in transaction: PostgresTransaction) {
        let order = event.order
        let writer = OrderWriter.of(transaction)
        writer.add(OrderChange(event))
        writer.add(
            OrderEventRow(
                message: message, at: time(of: event, message: message), name: Event.name.text,
                state: order.state.rawValue, version: order.version, actor: order.by.rawValue, reason: order.reason,
                former: (event as? OrderReopened)?.former?.account),
            of: order.order)
    }

    /// The messages "near" and "another time asked for" do not change `changedAt`, so their own time counts.
    private static func time(of event: some OrderEvent, message: UUID) -> Date {
        guard event is OrderNearby || event is OrderTimeAsked, let milliseconds = message.timeMilliseconds else {
            return event.order.changedAt
        }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
