import Contracts
import Foundation
import Postgres
import ServiceKit

/// Somebody takes an order from the board, or one that the platform is searching somebody for and has on offer to
/// nobody. Of any number who try, the first one has it.
struct TakeOrder: Sendable {
    /// Of orders that are held one at a time: only who waits for work, and does such things, may take one.
    struct NotWaiting: Error, Equatable {}

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound`` for an order that is on no board ever; ``AcceptOrder/NotVerified``; ``OrderRefusal``,
    ///   with the state that it is in once somebody else has it.
    func callAsFunction(
        _ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await LeavingAccounts.refuse(account, in: transaction)
        let (_, rows, takers) = try await transaction.queryAll(
            LockOrder(order: id), FindOrder(order: id), FindTaker(order: id, account: account))
        guard var details = try rows.first?.details() else { throw OrderNotFound() }
        let order = details.order
        let (workflow, settings) = try change.terms(of: order)
        guard !workflow.rows(on: .take, by: .provider).isEmpty else { throw OrderNotFound() }
        guard order.customer.account != account else { throw OrderRefusal.wrongActor }
        guard let taker = takers.first, taker.isSubscribed || !settings.subscriptionRequired else {
            throw AcceptOrder.NotVerified()
        }
        // Where it cannot be taken it may be held by another, and is refused below.
        let row = workflow.rows(on: .take, by: .provider).first { $0.from == order.state }
        if row?.effects.contains(.claimsProvider) == true {
            try await claim(order, for: account, in: transaction)
        }
        details.order = try change.store(
            .take(Order.Party(account: account, name: taker.name)), to: order, by: .provider, at: now, in: transaction)
        return details
    }

    private func claim(_ order: Order, for account: UUID, in transaction: PostgresTransaction) async throws {
        let found = try await transaction.query(
            ReadRoundProviders(market: order.market, accounts: [account], needsSubscription: false)
        ).first
        guard let found, let market = Market.named(order.market), let kind = order.searchKind,
            found.isAvailable, market.searchKinds(title: found.title, vehicle: found.vehicle).contains(kind)
        else { throw NotWaiting() }
        let claim = ClaimTaker(market: order.market, provider: account, order: order.id)
        guard try await transaction.first(claim) != nil else { throw OrderRefusal.providerBusy(order.state) }
    }
}
