import Contracts
import Foundation
import Messaging
import Postgres

/// Lets customer and provider of an order see each other's contact (P8): from a customer's report whose reason the
/// market lists, until the order has ended.
enum OpenContacts {
    /// How long a closed order's row is kept: longer than a message about it may be delayed.
    static let keptSeconds = 30.0 * 86_400

    /// Registers the handlers. Ends of orders share a transaction, since most of them write nothing.
    static func register(in handlers: inout MessageHandlers) {
        handlers.on(OrderDisputed.self, sharesTransaction: false) { disputed($0.message.order, in: $1) }
        handlers.on(OrderCompleted.self) { ended($0.message.order, in: $1) }
        handlers.on(OrderCancelled.self) { ended($0.message.order, in: $1) }
    }

    static func disputed(_ order: OrderSnapshot, in transaction: PostgresTransaction) {
        guard order.by == .customer, let reason = order.reason, reasons(order).contains(reason) else { return }
        store(order, isOpen: true, in: transaction)
    }

    static func ended(_ order: OrderSnapshot, in transaction: PostgresTransaction) {
        guard order.report != nil, !reasons(order).isEmpty else { return }
        store(order, isOpen: false, in: transaction)
    }

    private static func reasons(_ order: OrderSnapshot) -> Set<String> {
        Market.named(order.market)?.kind(order.kind)?.contactReasons ?? []
    }

    private static func store(_ order: OrderSnapshot, isOpen: Bool, in transaction: PostgresTransaction) {
        guard let provider = order.provider?.account else { return }
        transaction.send(PurgeOpenedContacts(before: order.changedAt.addingTimeInterval(-keptSeconds)))
        transaction.send(StoreOpenedContact(order: order, provider: provider, isOpen: isOpen))
    }
}
