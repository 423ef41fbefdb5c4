import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps the newest snapshot of each order, and each of its events with its time.
enum RecordOrder {
    static func event<Event: OrderEvent>(
        _ event: Event, message: UUID, in transaction: PostgresTransaction
    ) throws {
        let order = event.order
        let people = [order.customer.account, order.provider?.account].compactMap(\.self)
        transaction.send(LockPeople(accounts: people))
        transaction.send(StoreOrder(order: order, snapshot: PostgresJSON(try MessageJSON.encode(order))))
        if let moments = moments(of: event) { transaction.send(moments) }
        transaction.send(ForgetLate(order: order.order, name: AccountSnapshot.goneName))
        transaction.send(
            InsertOrderEvent(
                order: order.order,
                event: OrderEventRow(
                    message: message, at: time(of: event, message: message), name: Event.name.text,
                    state: order.state.rawValue, version: order.version, actor: order.by.rawValue,
                    reason: order.reason)))
    }

    private static func moments(of event: some OrderEvent) -> SetOrderMoments? {
        switch event {
        case let accepted as OrderAccepted:
            SetOrderMoments(
                order: accepted.order.order, acceptedAt: accepted.order.changedAt, companion: accepted.companion)
        case is OrderCompleted, is OrderCancelled, is OrderRefused, is OrderExpired:
            SetOrderMoments(order: event.order.order, endedAt: event.order.changedAt)
        default: nil
        }
    }

    /// That a provider is near does not change the order, so its time is the message's own.
    private static func time(of event: some OrderEvent, message: UUID) -> Date {
        guard event is OrderNearby, let milliseconds = message.timeMilliseconds else { return event.order.changedAt }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
