import Contracts
import Foundation
import Messaging
import Postgres

/// Customer and provider of an order see each other's contact from a customer's report, where the market says so for its reason,
/// until the order has ended (P8).
enum OpenContacts {
    /// How long an order is known as closed: longer than news of it may be late.
    static let keptSeconds = 30.0 * 86_400

    /// Ends share transactions: most orders end without anything to write.
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
