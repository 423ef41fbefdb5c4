import Foundation
import Messaging
import Postgres

/// Ends or reopens an order, or brings it before an admin, as its workflow says, because a party is banned in the
/// market or is no provider of it any more.
///
/// Each order has its own deadline for this; the handler of the ban does not change the orders itself, since it would
/// wait for order locks while it holds others. Deadlines fire in batches within one transaction, so this never waits
/// for the lock of an order, a provider, a series or an account; it tries again 50 ms later.
struct ApplyBanToOrder: Sendable {
    static let deadlineKind = "order.ban"
    /// Orders per query.
    static let pageSize = 500

    let change: ChangeOrder

    /// Sets a deadline for each open order of the account, in one market or in all.
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

    /// Does nothing if no party is banned or lost any more, or if the order has ended.
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
        // A restaurant is a provider of the market, too, by a role of its own; a customer needs no such role.
        let sellers = Set(banned + lost.filter(\.sells).map(\.account))
        let workers = Set(banned + lost.filter { !$0.sells }.map(\.account))
        let words: [(party: UUID?, out: Set<UUID>, trigger: OrderTrigger)] = [
            (order.customer.account, Set(banned), .customerBanned), (order.merchant?.account, sellers, .merchantBanned),
            (order.provider?.account, workers, .providerBanned),
        ]
        // If one party's ban changes nothing, another party's ban may still end the order.
        for (party, out, trigger) in words {
            guard let party, out.contains(party) else { continue }
            if try change.bySystem(trigger, to: order, at: now, in: transaction) { return }
        }
    }
}
