import Messaging
import Postgres

extension PostgresTransaction {
    /// Writes a change and what follows from it, all with the commit. The provider has been claimed already.
    func store(_ change: OrderChange) throws {
        let order = change.order
        if change.trigger == nil {
            send(try InsertOrder(order))
        } else {
            send(UpdateOrder(order: order))
        }
        for effect in change.effects {
            switch effect {
            case .waits(let window):
                guard let end = order.deadline else { continue }
                set(Deadline(kind: window.deadlineKind, subject: order.id.text, dueAt: end))
            case .ends(let window): clearDeadline(kind: window.deadlineKind, subject: order.id.text)
            case .freesProvider: send(FreeProvider(provider: order.provider.account, order: order.id))
            case .tells(let news): try tell(news, of: change)
            case .claimsProvider, .fines, .because: break
            }
        }
    }
}
