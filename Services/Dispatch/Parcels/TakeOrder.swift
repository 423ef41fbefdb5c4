import Contracts
import Foundation
import Matching
import Postgres
import ServiceKit

/// Somebody takes an order from the board, or one that the platform is searching somebody for and has on offer to
/// nobody. Of any number who try, the first one has it.
struct TakeOrder: Sendable {
    /// Of orders that are held one at a time: only who waits for work, and does such things, may take one.
    struct NotWaiting: Error, Equatable {}
    /// Nobody knows where the taker is at this moment.
    struct NoPosition: Error, Equatable {}
    /// Further away than the market searches.
    struct TooFar: Error, Equatable {}

    let change: ChangeOrder
    /// How old a place may be; seconds.
    let freshness: TimeInterval

    /// - Throws: ``OrderNotFound`` for an order that is on no board ever, or not on this provider's list;
    ///   ``AcceptOrder/NotVerified``; ``OrderRefusal``, with the state that it is in once somebody else has it; of what is
    ///   searched for ``RequestRide/Refusal/marketClosed``, too.
    func callAsFunction(
        _ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, leaving, _, rows, takers) = try await transaction.queryAll(
            LeavingAccounts.Share([account]), LeavingAccounts.Find([account]),
            LockOrder(order: id), FindOrder(order: id), FindTaker(order: id, account: account))
        guard leaving.isEmpty else { throw Problem.accountLeaving }
        guard var details = try rows.first?.details() else { throw OrderNotFound() }
        let order = details.order
        let (workflow, settings) = try change.terms(of: order)
        guard !workflow.rows(on: .take, by: .provider).isEmpty else { throw OrderNotFound() }
        guard order.customer.account != account else { throw OrderRefusal.wrongActor }
        guard let taker = takers.first, taker.isSubscribed || !settings.subscriptionRequired else {
            throw AcceptOrder.NotVerified()
        }
        // Somebody else was faster, which is told. Whatever else it is now is for its parties alone: who may not take it may not
        // read it either.
        let isGone = order.state == .accepted || order.state == .offered
        let row = workflow.rows(on: .take, by: .provider).first { $0.from == order.state }
        guard row != nil || isGone else { throw OrderNotFound() }
        if row?.effects.contains(.claimsProvider) == true {
            try await claim(order, for: account, settings, at: now, in: transaction)
        }
        details.order = try change.store(
            .take(Order.Party(account: account, name: taker.name)), to: order, by: .provider, at: now, in: transaction)
        return details
    }

    /// By the rules by which rounds ask: who is far away, of whom nobody knows where, or who was asked before takes
    /// nothing either, nor does anybody before it opens or while the market is closed.
    private func claim(
        _ order: Order, for account: UUID, _ settings: MarketSettings, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let (providers, searches) = try await transaction.queryAll(
            ReadRoundProviders(market: order.market, accounts: [account], needsSubscription: false),
            FindOpenSearch(order: order.id, provider: account, now: now))
        guard let found = providers.first, let market = Market.named(order.market), let kind = order.searchKind,
            found.isAvailable, market.searchKinds(title: found.title, vehicle: found.vehicle).contains(kind)
        else { throw NotWaiting() }
        guard settings.isOpen(at: now) else { throw RequestRide.Refusal.marketClosed }
        guard !searches.isEmpty else { throw OrderNotFound() }
        let place = GeoPoint(latitude: order.place.latitude, longitude: order.place.longitude)
        let metres = try found.place(at: now, freshness: freshness).metres(to: place)
        guard metres <= Double(settings.searchRadiusMetres) else { throw TooFar() }
        let claim = ClaimTaker(market: order.market, provider: account, order: order.id)
        guard try await transaction.first(claim) != nil else { throw OrderRefusal.providerBusy(order.state) }
    }
}

extension ReadRoundProviders.Row {
    /// Where the provider is, by his or her own phone.
    ///
    /// - Throws: ``TakeOrder/NoPosition`` for an older place than that.
    func place(at now: Date, freshness: TimeInterval) throws(TakeOrder.NoPosition) -> GeoPoint {
        guard let last, now.timeIntervalSince(last.at) <= freshness else { throw TakeOrder.NoPosition() }
        return last.place
    }
}
