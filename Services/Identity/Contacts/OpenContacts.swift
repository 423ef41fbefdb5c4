import Contracts
import Foundation
import Messaging
import Postgres

/// Lets an order's provider and its customer, or the relative who is visited, see each other's contact (P8): where the
/// kind of order says so, from the acceptance until a day after the end; else from a customer's report whose reason the
/// market lists, until the order has ended.
enum OpenContacts {
    /// How long a closed order's row is kept: longer than a message about it may be delayed.
    static let keptSeconds = 30.0 * 86_400
    /// How long contacts stay open after the end of an order that opened them by its acceptance.
    static let afterEndSeconds = 86_400.0

    /// Registers the handlers. Ends of orders share a transaction, since most of them write nothing.
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(OrderDisputed.self, sharesTransaction: false) { disputed($0.message.order, in: $1) }
        handlers.on(OrderAccepted.self) { accepted($0.message.order, isDeposited: false, in: $1) }
        handlers.on(OrderDeposited.self) { accepted($0.message.order, isDeposited: true, in: $1) }
        handlers.on(OrderReopened.self) { reopened($0.message.order, former: $0.message.former, in: $1) }
        handlers.on(OrderCompleted.self) { ended($0.message.order, in: $1) }
        handlers.on(OrderCancelled.self) { ended($0.message.order, former: $0.message.former, in: $1) }
        handlers.on(OrderRefused.self) { ended($0.message.order, former: $0.message.former, in: $1) }
        handlers.on(OrderExpired.self) { ended($0.message.order, in: $1) }
    }

    static func disputed(_ order: OrderSnapshot, in transaction: PostgresTransaction) {
        guard order.by == .customer, let reason = order.reason, kind(order)?.contactReasons.contains(reason) == true
        else { return }
        store(order, order.provider, isOpen: true, in: transaction)
    }

    /// - Parameter isDeposited: whether the deposit is locked, where the order has one: it has to be before.
    static func accepted(_ order: OrderSnapshot, isDeposited: Bool, in transaction: PostgresTransaction) {
        guard kind(order)?.opensContact == true, order.deposit == nil || isDeposited else { return }
        store(order, order.provider, isOpen: true, in: transaction)
    }

    /// The provider has lost the order, and with it the contact.
    static func reopened(
        _ order: OrderSnapshot, former: OrderSnapshot.Party?, in transaction: PostgresTransaction
    ) {
        guard kind(order)?.opensContact == true else { return }
        store(order, former, isOpen: false, in: transaction)
    }

    static func ended(
        _ order: OrderSnapshot, former: OrderSnapshot.Party? = nil, in transaction: PostgresTransaction
    ) {
        guard let kind = kind(order) else { return }
        if kind.opensContact {
            let closesAt = order.changedAt.addingTimeInterval(afterEndSeconds)
            store(order, order.provider ?? former, isOpen: false, closesAt: closesAt, in: transaction)
        } else if order.report != nil, !kind.contactReasons.isEmpty {
            store(order, order.provider, isOpen: false, in: transaction)
        }
    }

    private static func kind(_ order: OrderSnapshot) -> Market.OrderKind? {
        Market.named(order.market)?.kind(order.kind)
    }

    private static func store(
        _ order: OrderSnapshot, _ provider: OrderSnapshot.Party?, isOpen: Bool, closesAt: Date? = nil,
        in transaction: PostgresTransaction
    ) {
        guard let provider else { return }
        transaction.send(PurgeOpenedContacts(before: order.changedAt.addingTimeInterval(-keptSeconds)))
        transaction.send(
            StoreOpenedContact(
                order: order, provider: provider.account, isOpen: isOpen, closesAt: closesAt,
                // A deposit that was never locked has opened nothing, so its order's end leaves nothing open.
                needsOpen: order.deposit != nil))
    }
}
