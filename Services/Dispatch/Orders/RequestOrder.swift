import Contracts
import Foundation
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit

/// Requests a visit: a customer asks a provider of his or her choice for services at a place. The provider has the
/// accept window to answer.
struct RequestOrder: Sendable {
    struct Input: Sendable {
        let market: Market
        let customer: UUID
        let provider: UUID
        /// Service ids, each once.
        let services: [String]
        var place: Order.Place
        /// The price that the customer was shown; nil binds nobody.
        var seen: ShownPrice?
    }

    /// Maximum number of a customer's visits in a market that wait for an acceptance or for the payment: each accepted
    /// one keeps a provider from other customers for nothing.
    static let waitingLimit = 5

    /// Reason why no order was made.
    enum Refusal: Error, Equatable {
        /// ``waitingLimit`` is reached.
        case tooManyWaiting
        case unknownServices(indices: [Int])
        case ownProvider
        case marketClosed
        case outsideArea
        /// The provider is unknown, not verified, not subscribed, banned, not available, holds another order, is too far
        /// away, or has told no position lately. The customer is not told which.
        case providerUnavailable
        case notOffered(indices: [Int])
        case totalTooLarge
    }

    /// A provider moves between the list and the order: the list's radius is widened by a tenth.
    static let radiusFactor = 1.1

    let markets: LiveMarkets
    /// Maximum age of the provider's position, in seconds.
    let freshness: TimeInterval

    /// - Throws: ``Refusal``, ``CustomerRefusal``, ``ShownPrice/Risen``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let kind = Market.Workflow.visit.rawValue
        guard market.kind(kind) != nil, let workflow = Workflow.named(kind),
            let settings = markets.settings(of: market.id)
        else { throw UnknownWorkflow(market: market.id, kind: kind) }
        let services = try check(input, settings, at: now)
        let people = [input.customer, input.provider]
        // Deletion and ban state are read after the shared locks on the accounts.
        let (_, _, _, waiting, open, leaving, orderers, providers, fixes, offers, providerStandings) =
            try await transaction.queryAll(
                AccountDeletionGuard.Share(people), SerializeCustomerRequests(topic: .visits, customer: input.customer),
                SerializeCustomerRequests(topic: .orders, customer: input.customer),
                CountWaitingVisits(customer: input.customer, market: market.id),
                CountOpenOrders(customer: input.customer, market: market.id), AccountDeletionGuard.Find(people),
                FindOrderingCustomer(account: input.customer, market: market.id),
                FindFreeProvider(
                    market: market.id, provider: input.provider, needsSubscription: settings.subscriptionRequired),
                FindLastPosition(provider: input.provider),
                FindPrices(
                    market: market.id, provider: input.provider, services: input.services,
                    currency: settings.prices(in: market)),
                FindStanding(market: market.id, account: input.provider, role: .provider))
        guard !leaving.contains(input.customer) else { throw CustomerRefusal.leaving }
        guard leaving.isEmpty else { throw Refusal.providerUnavailable }
        guard let orderer = orderers.first else { throw CustomerRefusal.unknown }
        let customerName = try orderer.requireMayOrder(in: market)
        guard waiting.first ?? 0 < Self.waitingLimit else { throw Refusal.tooManyWaiting }
        try settings.requireBelowOpenOrderLimit(beside: open.first ?? 0)
        guard let provider = providers.first, isNear(fixes.first, input.place, settings, at: now) else {
            throw Refusal.providerUnavailable
        }
        let lines = try lines(services, offers)
        guard let total = lines.total else { throw Refusal.totalTooLarge }
        try input.seen?.check(Money(amount: total, currency: settings.currency))

        let change = Order.opened(
            Order.Request(
                id: .timeOrdered(), market: market.id,
                customer: Order.Party(account: input.customer, name: customerName),
                provider: Order.Party(
                    account: input.provider, name: provider.name, title: provider.title,
                    gender: provider.title == nil ? nil : provider.gender),
                lines: lines, total: total,
                currency: settings.currency, place: input.place),
            at: now, windows: settings.orderWindows, in: workflow)
        try transaction.store(change, settings)
        return OrderDetails(
            order: change.order, customerStanding: orderer.standing,
            providerStanding: providerStandings.first ?? OrderDetails.Standing.none, ratingByCustomer: nil,
            ratingByProvider: nil, providerAvatar: provider.avatar, isProviderVerified: true)
    }

    /// Whether the provider is where the list of free providers would show him or her (C3).
    private func isNear(_ last: Fix?, _ place: Order.Place, _ settings: MarketSettings, at now: Date) -> Bool {
        guard let last, now.timeIntervalSince(last.at) <= freshness else { return false }
        let metres = last.place.metres(to: GeoPoint(latitude: place.latitude, longitude: place.longitude))
        return metres <= Double(settings.searchRadiusMetres) * Self.radiusFactor
    }

    /// Checks that need no database. Returns the market's services.
    private func check(_ input: Input, _ settings: MarketSettings, at now: Date) throws(Refusal) -> [Market.Service] {
        let known = Dictionary(input.market.services.map { ($0.id, $0) }) { first, _ in first }
        let unknown = input.services.indices.filter { known[input.services[$0]] == nil }
        guard unknown.isEmpty else { throw .unknownServices(indices: unknown) }
        guard input.customer != input.provider else { throw .ownProvider }
        guard settings.isOpen(at: now) else { throw .marketClosed }
        let area = ServiceArea(corners: settings.serviceArea)
        guard area.contains(latitude: input.place.latitude, longitude: input.place.longitude) else {
            throw .outsideArea
        }
        return input.services.compactMap { known[$0] }
    }

    /// Order lines in the sequence of the request, at the provider's prices.
    private func lines(_ services: [Market.Service], _ offers: [OfferedPrice]) throws(Refusal) -> [Order.Line] {
        let prices = Dictionary(offers.map { ($0.service, $0.price) }) { first, _ in first }
        let missing = services.indices.filter { prices[services[$0].id] == nil }
        guard missing.isEmpty else { throw .notOffered(indices: missing) }
        return services.map { Order.Line(service: $0.id, names: $0.name.texts, price: prices[$0.id] ?? 0) }
    }
}
