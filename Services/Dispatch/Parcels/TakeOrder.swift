import Contracts
import Foundation
import Matching
import Postgres
import ServiceKit

/// Takes an order from the board, or one in a search that is on offer to nobody. Of concurrent attempts the first one
/// succeeds.
struct TakeOrder: Sendable {
    /// The taker ordered it, or sells it (B2).
    struct OwnOrder: Error, Equatable {}
    /// For orders that are held one at a time: the taker is not available, or does not do this kind of work.
    struct NotWaiting: Error, Equatable {}
    /// The taker has no fresh position.
    struct NoPosition: Error, Equatable {}
    /// The order is farther away than the market's search radius.
    struct TooFar: Error, Equatable {}

    let change: ChangeOrder
    /// Maximum age of a position in seconds.
    let freshness: TimeInterval

    /// - Throws: ``OrderNotFound`` for an order that cannot be taken, or not by this provider (a carrier whose rating is
    ///   lower than the owner asks for);
    ///   ``OwnOrder``; ``AcceptOrder/NotVerified``; ``OrderRefusal`` with the state of an order that another provider has taken; for
    ///   searched orders also ``RequestRide/Refusal/marketClosed``, ``NotWaiting``, ``NoPosition`` and ``TooFar``.
    func callAsFunction(
        _ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, leaving, _, rows, takers) = try await transaction.queryAll(
            AccountDeletionGuard.Share([account]), AccountDeletionGuard.Find([account]),
            LockOrder(order: id), FindOrder(order: id), FindTaker(order: id, account: account))
        guard leaving.isEmpty else { throw Problem.accountLeaving }
        guard var details = try rows.first?.details() else { throw OrderNotFound() }
        let order = details.order
        let (workflow, settings) = try change.terms(of: order)
        guard !workflow.rows(on: .take, by: .provider).isEmpty else { throw OrderNotFound() }
        guard ![order.customer.account, order.merchant?.account].contains(account) else { throw OwnOrder() }
        guard let taker = takers.first, taker.isSubscribed || !settings.subscriptionRequired else {
            throw AcceptOrder.NotVerified()
        }
        // An owner who asks for a rating shows the parcel to nobody else.
        guard order.parcel?.accepts(taker.standing) != false else { throw OrderNotFound() }
        // A caller who was too slow learns the state. Any other state is visible to the order's parties only: an
        // account that may not take the order may not read it.
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

    /// Claims the provider by the same rules as rounds: not too far away, with a fresh position, never asked for the
    /// order before, and only after the search has opened and while the market is open.
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
    /// The provider's position, as the phone reported it.
    ///
    /// - Throws: ``TakeOrder/NoPosition`` if the position is missing or older than `freshness`.
    func place(at now: Date, freshness: TimeInterval) throws(TakeOrder.NoPosition) -> GeoPoint {
        guard let last, now.timeIntervalSince(last.at) <= freshness else { throw TakeOrder.NoPosition() }
        return last.place
    }
}
