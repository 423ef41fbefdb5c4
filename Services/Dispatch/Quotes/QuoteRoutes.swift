import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// `/dispatch/v1/quotes`: the price of an order before it is made (C7). Only the account that requested a quote can
/// read it.
struct QuoteRoutes: Sendable {
    /// The kinds of order that are quoted by way, each with its sizes.
    static let kinds: [String: Set<String>] = [
        "ride": ["regular", "xl"], "food": ["food"], "bikeDropOff": [OrderDropOff.tariff],
    ]

    let markets: LiveMarkets
    let price: QuoteTrip
    let keep = StoreQuote()
    let pool: PostgresPool
    let idempotency: IdempotencyStore
    let words: QuoteWords
    let seal: PlaceSeal
    let clock: @Sendable () -> Date

    func add(to router: Router<SeraiRequestContext>) {
        router.group("dispatch/v1/quotes", context: AuthenticatedContext.self)
            .post { try await make($0, $1) }
            .get("{id}") { try await find($0, $1) }
    }

    private func make(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try WayForm(try await once.request.form(context: context))
        try context.caller.require("customer", in: form.market.id)
        // The map is queried before the transaction that stores the answer. A repeated request is answered from the
        // store and not priced again: it would count another unknown code, and the price may differ by now.
        return try await idempotency.answer(once) { () async throws -> (Quote, QuoteView) in
            let quote = try await priced(form, by: context.caller.accountID)
            return (quote, try await view(quote, context))
        } _: { transaction, prepared in
            let (quote, shown) = prepared
            try await keep(quote, in: transaction)
            return try .json(.created, shown, at: "/dispatch/v1/quotes/\(quote.id.text)")
        }
    }

    private func priced(_ form: WayForm, by account: UUID) async throws -> Quote {
        var quote = try await price(try await way(form, account: account), at: clock())
        guard let typed = quote.promo else { return quote }
        quote.terms.promo = try await PreviewPromoCode(pool: pool)(
            typed, on: quote.total, in: quote.market, by: quote.account, at: quote.madeAt)
        return quote
    }

    private func way(_ form: WayForm, account: UUID) async throws -> QuoteTrip.Request {
        var from = form.from
        var restaurant: Restaurant?
        if let id = form.restaurant {
            guard let found = try await pool.first(FindRestaurant(restaurant: id)), found.market == form.market.id,
                let settings = markets.settings(of: found.market)
            else { throw RestaurantRefusal.notFound }
            try found.check(for: account, at: form.to, within: settings.searchRadiusMetres)
            restaurant = found
            from = Order.Place(
                latitude: found.card.latitude, longitude: found.card.longitude, description: found.card.name)
        }
        var bike: (type: BikeType, rack: UUID)?
        if let type = form.bike {
            guard let settings = markets.settings(of: form.market.id) else { throw QuoteRefusal.notFound }
            let area = ServiceArea(corners: settings.serviceArea)
            guard area.contains(latitude: form.to.latitude, longitude: form.to.longitude) else {
                throw QuoteRefusal.outsideArea(fields: ["to"])
            }
            let near = ListNearRacks(
                market: form.market.id, latitude: form.to.latitude, longitude: form.to.longitude,
                radius: Double(settings.searchRadiusMetres), type: type.rawValue, limit: 1)
            guard let rack = try await pool.first(near) else { throw RackRefusal.noBike }
            bike = (type, rack.id)
            from = Order.Place(
                latitude: rack.card.latitude, longitude: rack.card.longitude, description: rack.card.name)
        }
        return QuoteTrip.Request(
            market: form.market, account: account, kind: form.kind, tariff: form.size, from: try from.sealed(by: seal),
            to: try form.to.sealed(by: seal),
            promo: form.promo, restaurant: restaurant, bike: bike)
    }

    private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> QuoteView {
        guard let quote = try await pool.first(FindQuote(quote: try context.uuid("id")))?.quote(),
            quote.account == context.caller.accountID
        else { throw QuoteRefusal.notFound }
        return try await view(quote, context)
    }

    private func view(_ quote: Quote, _ context: AuthenticatedContext) async throws -> QuoteView {
        var needsMethod = false
        if Market.named(quote.market)?.requiresPaymentMethod == true {
            needsMethod = try await pool.first(FindMethod(account: quote.account)) != true
        }
        let settings = markets.settings(of: quote.market)
        let shown = (settings.map { quote.fitted(to: $0) } ?? quote).opened(by: seal)
        let zone = settings?.timeZone ?? "UTC"
        return QuoteView(
            shown, of: markets.named(quote.market), needsPaymentMethod: needsMethod, zone: zone, words: words,
            in: context.language)
    }
}

/// The request's form: the way to be priced.
private struct WayForm {
    let market: Market
    let kind: String
    let size: String
    /// For food and bikes a placeholder: the restaurant's or the rack's place replaces it.
    let from: Order.Place
    let restaurant: UUID?
    /// The type of the bike that is delivered.
    let bike: BikeType?
    let to: Order.Place
    let promo: String?

    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form) throws(Problem) {
        let name = form.string("market", length: 1...100)
        let market = name.flatMap(Market.named)
        if name != nil, market == nil { form.reject("market", "unknown-market") }
        let kind = form.string("kind", length: 1...40)
        let sizes = kind.flatMap { QuoteRoutes.kinds[$0] }
        if kind != nil, sizes == nil {
            form.reject("kind", "not-a-choice", ["choices": QuoteRoutes.kinds.keys.sorted().joined(separator: ", ")])
        }
        let isMeal = kind == Market.Workflow.food.rawValue
        let isBike = kind == Market.Workflow.bikeDropOff.rawValue
        let usual = isMeal ? "food" : isBike ? OrderDropOff.tariff : "regular"
        let size = form.string("size", length: 1...40, required: false) ?? usual
        if let sizes, !sizes.contains(size) {
            form.reject("size", "not-a-choice", ["choices": sizes.sorted().joined(separator: ", ")])
        }
        let restaurant = isMeal ? form.uuid("restaurant") : nil
        let to = Self.place("to", form)
        let bike = isBike ? form.choice("bike", of: BikeType.self) : nil
        let from = isMeal || isBike ? to : Self.place("from", form)
        let promo = form.string("promo", length: 1...40, required: false)
        guard let market, let kind, let from, let to, form.isValid else { throw form.problem }
        self.market = market
        self.kind = kind
        self.size = size
        self.from = from
        self.restaurant = restaurant
        self.bike = bike
        self.to = to
        self.promo = promo
    }

    private static func place(_ name: String, _ form: Form) -> Order.Place? {
        guard let place = form.object(name) else { return nil }
        let position = place.position()
        let description = place.string("description", length: 1...500, lines: true, required: false)
        guard let position else { return nil }
        return Order.Place(latitude: position.latitude, longitude: position.longitude, description: description)
    }
}
