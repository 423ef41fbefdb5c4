import Contracts
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
            case .waits(let window), .resumes(let window):
                guard let end = order.deadline else { continue }
                set(Deadline(kind: window.deadlineKind, subject: order.id.text, dueAt: end))
            case .ends(let window): clearDeadline(kind: window.deadlineKind, subject: order.id.text)
            case .freesProvider:
                guard let provider = change.former ?? order.provider else { continue }
                send(FreeProvider(provider: provider.account, order: order.id))
            case .posts:
                guard let parcel = order.parcel else { continue }
                send(PostOnBoard(order: order, parcel: parcel))
            case .unposts: send(TakeOffBoard(order: order.id))
            case .releasesBike: send(ReleaseBike(order: order.id))
            case .reports(let reason, let author): try report(reason, for: author, in: order)
            case .tells(let news): try tell(news, of: change)
            case .claimsProvider, .takesProvider, .losesProvider, .fines, .because: break
            }
        }
    }

    /// In a party's name, for an admin to decide.
    private func report(_ reason: String, for author: OrderActor, in order: Order) throws {
        let account = author == .provider ? order.provider?.account : nil
        send(
            InsertReport(
                report: StoredReport(
                    id: order.id, order: order.id, by: author, reason: reason, note: nil, cancels: true,
                    at: order.changedAt)))
        try publish(
            ReportOpened(
                report: order.id, order: order.id, market: order.market, by: OrderSnapshot.Actor(author),
                account: account ?? order.customer.account, reason: reason, note: nil, cancels: true,
                awaitsDecision: true,
                at: order.changedAt))
    }
}
