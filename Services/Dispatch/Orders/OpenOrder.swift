import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Opens an order of a kind that is paid before any provider is asked.
struct OpenOrder: Sendable {
    /// Data of the order; the customer's name comes from identity's events.
    struct Input: Sendable {
        /// Nil generates an id.
        var id: UUID?
        let market: Market
        let kind: Market.Workflow
        let customer: UUID
        /// The person for whom the order is, if not the customer.
        var recipient: UUID?
        var lines: [Order.Line] = []
        /// Minor units.
        let total: Int
        /// Currency of the settings or of the quote that priced the order.
        let currency: String
        let place: Order.Place
        var destination: Order.Place?
        var scheduledAt: Date?
        var deposit: Int?
        var shares: [Order.Share]?
        var particulars: Order.Particulars?
        var by = OrderActor.customer
    }

    /// Reason why no order was opened.
    enum Refusal: Error, Equatable {
        /// The market does not offer this kind.
        case notInMarket
        /// The place in this field of the request (`place`, or `origin` or `destination`) is outside the service area.
        case outsideArea(field: String)
        /// The recipient's account is being deleted.
        case recipientLeaving
    }

    let markets: LiveMarkets

    /// Workflow and current settings of the market for a kind of order.
    ///
    /// - Throws: ``Refusal/notInMarket``
    func terms(
        of market: Market, _ kind: Market.Workflow
    ) throws(Refusal) -> (workflow: Workflow, settings: MarketSettings) {
        guard market.kind(kind.rawValue) != nil, let workflow = Workflow.named(kind.rawValue),
            let settings = markets.settings(of: market.id)
        else { throw .notInMarket }
        return (workflow, settings)
    }

    /// - Throws: ``Refusal``, ``CustomerRefusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (workflow, settings) = try terms(of: input.market, input.kind)
        let area = ServiceArea(corners: settings.serviceArea)
        // The places of a quote were checked when it was made, and the quote binds.
        let isQuoted = input.particulars?.quote != nil
        var places = isQuoted ? [] : [(input.destination == nil ? "place" : "origin", input.place)]
        if let destination = input.destination, !isQuoted { places.append(("destination", destination)) }
        for (field, place) in places {
            guard area.contains(latitude: place.latitude, longitude: place.longitude) else {
                throw Refusal.outsideArea(field: field)
            }
        }
        let people = [input.customer] + [input.recipient].compactMap { $0 }
        // Deletion and ban state are read after the shared locks on the accounts.
        let (_, _, open, leaving, orderers) = try await transaction.queryAll(
            AccountDeletionGuard.Share(people), SerializeCustomerRequests(topic: .orders, customer: input.customer),
            CountOpenOrders(customer: input.customer, market: input.market.id), AccountDeletionGuard.Find(people),
            FindOrderingCustomer(account: input.customer, market: input.market.id))
        guard !leaving.contains(input.customer) else { throw CustomerRefusal.leaving }
        guard leaving.isEmpty else { throw Refusal.recipientLeaving }
        guard let orderer = orderers.first else { throw CustomerRefusal.unknown }
        let name = try orderer.requireMayOrder(in: input.market)
        if input.particulars?.series == nil { try settings.requireBelowOpenOrderLimit(beside: open.first ?? 0) }
        let change = Order.opened(
            Order.Request(
                id: input.id ?? .timeOrdered(), market: input.market.id,
                customer: Order.Party(account: input.customer, name: name), provider: nil, lines: input.lines,
                total: input.total, currency: input.currency, place: input.place,
                destination: input.destination, scheduledAt: input.scheduledAt, deposit: input.deposit,
                shares: input.shares, particulars: input.particulars, by: input.by),
            at: now, windows: settings.orderWindows, in: workflow)
        try transaction.store(change, settings)
        return OrderDetails(
            order: change.order, customerStanding: orderer.standing, providerStanding: .none,
            ratingByCustomer: nil, ratingByProvider: nil, isProviderVerified: false)
    }
}
