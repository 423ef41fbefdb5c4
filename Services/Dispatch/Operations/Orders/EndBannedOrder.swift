import Foundation
import Messaging
import Postgres

/// A party of an order may do nothing in its market any more: the order ends, is somebody else's, or comes before an admin,
/// as its workflow says.
///
/// It is the deadline of each of the party's orders, and not an act of who hears of the ban: that one would have to wait for
/// orders while it has others. Deadlines are fired many in a transaction, so none of them waits for an order, a series or an
/// account that somebody else has: it looks again a moment later.
struct EndBannedOrder: Sendable {
    static let deadlineKind = "order.ban"

    let change: ChangeOrder

    /// Does nothing when nobody is banned, or not any more, or when nothing of it is left to end.
    func callAsFunction(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let (locks, rows) = try await transaction.queryAll(TryLockOrder(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, !order.state.isFinal else { return }
        guard !locks.isEmpty else {
            let again = now.addingTimeInterval(EndOrderWindow.pauseSeconds)
            return transaction.set(Deadline(kind: Self.deadlineKind, subject: id.text, dueAt: again))
        }
        let parties = [order.customer.account] + [order.provider?.account, order.merchant?.account].compactMap { $0 }
        let banned = try await transaction.query(FindBanned(accounts: parties, market: order.market))
        if banned.contains(order.customer.account) {
            try change.bySystem(.customerBanned, to: order, at: now, in: transaction)
        } else if let merchant = order.merchant, banned.contains(merchant.account) {
            try change.bySystem(.merchantBanned, to: order, at: now, in: transaction)
        } else if !banned.isEmpty {
            try change.bySystem(.providerBanned, to: order, at: now, in: transaction)
        }
    }
}
