import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// The route for ordering a meal (O9): the checkout of a cart. All later steps use the routes of orders.
struct MealRoutes: Sendable {
    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/meals") { try await request($0, $1) }
    }

    private func request(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let restaurant = form.uuid("restaurant")
        let quote = form.uuid("quote")
        let cart = Cart(form)
        form.checkCurrency(settings.prices(in: market))
        guard let restaurant, let quote, let cart, form.isValid else { throw form.problem }
        let input = RequestMeal.Input(
            market: market, customer: context.caller.accountID, restaurant: restaurant, quote: quote, cart: cart)
        return try await orders.answer(once, .created, context) { transaction in
            try await orders.operations.requestMeal(input, at: orders.clock(), in: transaction)
        }
    }
}

extension Cart {
    /// Nil if the cart is invalid; the form then has the errors.
    init?(_ form: Form) {
        guard let items = form.objects("items", count: Self.items) else { return nil }
        let entries = items.map { item -> Entry? in
            let id = item.uuid("item")
            let count = item.integer("count", in: Self.counts)
            let price = item.integer("price", in: MenuItem.prices)
            guard let id, let count, let price else { return nil }
            return Entry(item: id, count: count, price: price)
        }
        let whole = entries.compactMap(\.self)
        if Set(whole.map(\.item)).count < whole.count { form.reject("items", "repeated-item") }
        guard whole.count == entries.count else { return nil }
        self.init(entries: whole)
    }
}

extension MealRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .restaurantClosed: Problem("restaurant-closed", status: .conflict)
        case .tooFar(let metres):
            Problem("restaurant-too-far", status: .conflict, arguments: ["kilometres": String(metres / 1_000)])
        case .ownRestaurant: .invalidFields([FieldProblem("restaurant", "own-account")])
        case .otherQuote: .invalidFields([FieldProblem("quote", "other-quote")])
        case .menuChanged(let changes):
            Problem(
                "menu-changed", status: .conflict,
                extensions: ["items": .array(changes.map(Self.value))])
        }
    }

    /// Leaves out name and price of an item that is not sold any more.
    private static func value(_ change: Change) -> JSONValue {
        var members: [String: JSONValue] = [
            "item": .string(change.item.text), "index": .integer(Int64(change.index)),
        ]
        if let name = change.name { members["name"] = .string(name) }
        if let price = change.price { members["price"] = .integer(Int64(price)) }
        return .object(members)
    }
}
