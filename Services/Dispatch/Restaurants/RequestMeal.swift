import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Orders a meal of an open restaurant at a delivery quote's price. The restaurant is asked after the payment.
struct RequestMeal: Sendable {
    struct Input: Sendable {
        let market: Market
        let customer: UUID
        let restaurant: UUID
        /// The quote for the way from the restaurant to the customer.
        let quote: UUID
        let cart: Cart
    }

    let open: OpenOrder

    /// Takes names and prices from the menu, which is locked against changes until the commit. The same transaction
    /// uses the quote up and creates the order.
    ///
    /// - Throws: ``MealRefusal``, ``RestaurantRefusal``, ``RequestRide/Refusal``, ``QuoteRefusal``, ``OpenOrder/Refusal``,
    ///   ``CustomerRefusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let settings = try open.terms(of: market, .food).settings
        guard settings.isOpen(at: now) else { throw RequestRide.Refusal.marketClosed }
        guard let known = try await transaction.first(FindRestaurant(restaurant: input.restaurant)),
            known.market == market.id
        else { throw RestaurantRefusal.notFound }
        // Lock order: accounts before other rows, as in a deletion.
        let leaving = try await AccountDeletionGuard.deleted(among: [input.customer, known.owner], in: transaction)
        guard !leaving.contains(input.customer) else { throw Problem.accountLeaving }
        let bans = try await transaction.query(FindBanned(accounts: [known.owner], market: market.id))
        guard leaving.isEmpty, bans.isEmpty else { throw MealRefusal.restaurantClosed }
        let id = UUID.timeOrdered()
        let quote = try await UseQuote()(
            input.quote, for: id, kind: Market.Workflow.food.rawValue, in: market.id, by: input.customer, at: now,
            in: transaction)
        let (rows, menu) = try await transaction.queryAll(
            FindAndShareLockRestaurant(restaurant: known.id), ListMenu(restaurant: known.id))
        guard let restaurant = rows.first else { throw RestaurantRefusal.notFound }
        // All lines of an order have one currency; a quote in another currency than the menu's is no longer valid.
        guard quote.currency == settings.currency else { throw QuoteRefusal.expired }
        guard quote.terms.restaurant == restaurant.id, quote.from.isAt(restaurant) else { throw MealRefusal.otherQuote }
        try restaurant.check(for: input.customer, at: quote.to, within: settings.searchRadiusMetres)
        let prices = settings.prices(in: market)
        let items = try input.cart.items(of: menu.filter { prices.counts($0.currency) })
        return try await open(
            Self.order(id, input, items, of: restaurant, quote, settings), at: now, in: transaction)
    }

    private static func order(
        _ id: UUID, _ input: Input, _ items: [MenuItem], of restaurant: Restaurant, _ quote: Quote,
        _ settings: MarketSettings
    ) -> OpenOrder.Input {
        let ordered = zip(items, input.cart.entries).map { item, entry in
            Order.Food.Item(item: item.id, name: item.name, price: item.price, count: entry.count)
        }
        var lines = zip(items, ordered).map { item, ordered in line(item, ordered, settings.languages) }
        let sold = lines.map(\.price).reduce(0, +)
        lines.append(
            Order.Line(
                service: OrderSnapshot.Service.delivery, names: ["en": "Delivery", "ar": "التوصيل"], price: quote.total)
        )
        let food = Order.Food(
            restaurant: restaurant.id, restaurantArabicName: restaurant.card.arabicName, items: ordered,
            quote: quote.id, metres: quote.terms.metres, seconds: quote.terms.seconds,
            approachSeconds: approach(quote, settings),
            preparationMinutes: restaurant.card.preparationMinutes,
            promo: quote.promise(on: sold + quote.total, settings), roughPrice: quote.terms.roughPrice)
        return OpenOrder.Input(
            id: id, market: input.market, kind: .food, customer: input.customer, lines: lines,
            total: sold + quote.total, currency: quote.currency, place: quote.from, destination: quote.to,
            shares: [
                Order.Share(party: .merchant, account: restaurant.owner, name: restaurant.card.name, amount: sold)
            ], particulars: .food(food))
    }

    /// For example `2 × Tabbouleh`.
    private static func line(_ item: MenuItem, _ ordered: Order.Food.Item, _ languages: [String]) -> Order.Line {
        func words(_ name: String) -> String { ordered.count == 1 ? name : "\(ordered.count) × \(name)" }
        let names = languages.map { ($0, words($0 == "ar" ? item.arabicName ?? item.name : item.name)) }
        return Order.Line(
            service: OrderSnapshot.Service.meal, names: Dictionary(names) { first, _ in first },
            price: ordered.count * ordered.price)
    }

    /// The time before the meal is ready at which the search for a courier starts: the nearest free courier's travel
    /// time at the quote (or the time for half of the search radius) plus the offer window. In seconds.
    private static func approach(_ quote: Quote, _ settings: MarketSettings) -> Int {
        let likely = settings.searchRadiusMetres / 2 * 60 / max(1, settings.speedMetresPerMinute)
        return (quote.terms.waitSeconds ?? likely) + settings.offerWindowSeconds
    }
}

extension Order.Place {
    func isAt(_ restaurant: Restaurant) -> Bool {
        latitude == restaurant.card.latitude && longitude == restaurant.card.longitude
    }
}
