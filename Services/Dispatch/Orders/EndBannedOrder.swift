import Foundation
import Messaging
import Postgres

/// A party of an order may do nothing in its market any more, banned or no provider of it any longer: the order ends,
/// is somebody else's, or comes before an admin, as its workflow says.
///
/// It is the deadline of each of the party's orders, and not an act of who hears of it: that one would have to wait for
/// orders while it has others. Deadlines are fired many in a transaction, so none of them waits for an order, a provider, a
/// series or an account that somebody else has: it looks again a moment later.
struct EndBannedOrder: Sendable {
    static let deadlineKind = "order.ban"
    /// Orders that are looked at together.
    static let pageSize = 500

    let change: ChangeOrder

    /// Sets the deadline of each open order that somebody is a party of in a market, or in all.
    static func schedule(
        of account: UUID, in market: String, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        var last: UUID?
        repeat {
            let page = try await transaction.query(
                ListOrdersOfParty(account: account, market: market, after: last, limit: pageSize))
            for order in page { transaction.set(Deadline(kind: deadlineKind, subject: order.text, dueAt: now)) }
            last = page.count == pageSize ? page.last : nil
        } while last != nil
    }

    /// Does nothing when nobody is out, or not any more, or when nothing of it is left to end.
    func callAsFunction(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let (locks, isProviderTaken, rows) = try await transaction.queryAll(
            TryLockOrder(order: id), TryLockProviderOf(order: id), FindOrder(order: id))
        guard let order = try rows.first?.details().order, !order.state.isFinal else { return }
        guard !locks.isEmpty, isProviderTaken.first != true else {
            let again = now.addingTimeInterval(EndOrderWindow.pauseSeconds)
            return transaction.set(Deadline(kind: Self.deadlineKind, subject: id.text, dueAt: again))
        }
        let parties = [order.customer.account] + [order.provider?.account, order.merchant?.account].compactMap { $0 }
        let (banned, lost) = try await transaction.queryAll(
            FindBanned(accounts: parties, market: order.market),
            FindLostProviders(accounts: parties, market: order.market))
        // A restaurant is a provider of the market, too; whoever orders need not be one.
        let out = Set(banned + lost)
        let words: [(party: UUID?, out: Set<UUID>, trigger: OrderTrigger)] = [
            (order.customer.account, Set(banned), .customerBanned), (order.merchant?.account, out, .merchantBanned),
            (order.provider?.account, out, .providerBanned),
        ]
        // What a ban of one party leaves as it is, another's may still end.
        for (party, out, trigger) in words {
            guard let party, out.contains(party) else { continue }
            if try change.bySystem(trigger, to: order, at: now, in: transaction) { return }
        }
    }
}
