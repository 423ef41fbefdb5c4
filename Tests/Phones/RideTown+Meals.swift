public import Contracts
public import Foundation

/// Restaurants in Perth, and what is ordered of them.
extension RideTown {
    /// A restaurant that takes orders, with two things on its menu.
    public struct Kitchen: Sendable {
        public let owner: Newcomer
        public let id: UUID
        public let menu: [Item]

        public struct Item: Decodable, Sendable {
            public let item: UUID
            public let name: String
            /// Minor units.
            public let price: Int
            public let ingredients: String?
        }
    }

    /// What a restaurant has sold of one thing.
    public struct Sales: Decodable, Sendable {
        public struct Item: Decodable, Sendable {
            public let item: UUID
            public let count: Int
            public let amount: Int
        }
        struct Day: Decodable, Sendable { let items: [Item] }
        let days: [Day]

        public var items: [Item] { days.flatMap(\.items) }
    }

    private struct Card: Encodable {
        let name: String
        let latitude, longitude: Double
        var preparationMinutes = 20
    }

    private struct Dish: Encodable {
        let name: String
        let price: Int
        var ingredients: String?
    }

    private static let own = "/dispatch/v1/markets/\(market)/restaurant"

    private struct Page: Decodable {
        let restaurant: UUID
        let menu: [Kitchen.Item]
    }

    private struct Near: Decodable {
        struct Item: Decodable { let restaurant: UUID }
        let items: [Item]
    }

    private struct Question: Encodable {
        var market = RideTown.market
        var kind = "food"
        let restaurant: UUID
        let to: Coordinate
    }

    private struct Cart: Encodable {
        struct Entry: Encodable {
            let item: UUID
            let count, price: Int
        }
        let restaurant, quote: UUID
        let items: [Entry]
    }

    /// Registers, brings the papers, is verified, writes the menu and opens.
    public func restaurant(_ name: String, at place: Coordinate) async throws -> Kitchen {
        let owner = try await register(
            Person(name, title: "restaurant"),
            details: [
                "businessNumber": .text("ABN 51 824 753 556"), "contactPerson": .text("Lina"),
                "contactMobile": .text("+61412345678"), "contactEmail": .text("sara@hay.example"),
                "businessAddress": .text("1 Hay Street, Perth"),
            ])
        try await verify(owner, as: "restaurant")
        let card = Card(name: name, latitude: place.latitude, longitude: place.longitude)
        try await put(card, at: Self.own, owner, until: "dispatch knows of the restaurant")
        for dish in [Dish(name: "Soup", price: 1_200), Dish(name: "Bread", price: 350)] {
            try await owner.phone.send(try .post(Self.own + "/items", dish))
        }
        try await put(["open": true], at: Self.own + "/open", owner, until: "dispatch knows that it is verified")
        let page: Page = try await owner.phone.send(.get(Self.own)).decode()
        return Kitchen(owner: owner, id: page.restaurant, menu: page.menu)
    }

    /// Tries again while it is refused, since dispatch hears of people a moment later than identity.
    private func put(
        _ body: some Encodable & Sendable, at path: String, _ owner: Newcomer, until awaited: String
    ) async throws {
        try await owner.phone.until(awaited) {
            do {
                try await owner.phone.send(try .put(path, body))
                return true
            } catch let refusal as Refusal where refusal.status == 403 {
                return false
            }
        }
    }

    // MARK: The menu

    /// Adds something to its menu.
    public func add(
        _ name: String, for price: Int, ingredients: String? = nil, to kitchen: Kitchen
    ) async throws -> Kitchen.Item {
        let dish = Dish(name: name, price: price, ingredients: ingredients)
        return try await kitchen.owner.phone.send(try .post(Self.own + "/items", dish)).decode()
    }

    /// It costs something else from now on.
    public func change(_ item: Kitchen.Item, to price: Int, of kitchen: Kitchen) async throws {
        let dish = Dish(name: item.name, price: price, ingredients: item.ingredients)
        try await kitchen.owner.phone.send(try .put(Self.own + "/items/\(item.item.path)", dish))
    }

    public func remove(_ item: Kitchen.Item, of kitchen: Kitchen) async throws {
        try await kitchen.owner.phone.send(.delete(Self.own + "/items/\(item.item.path)"))
    }

    /// Whether it takes orders.
    public func setOpen(_ isOpen: Bool, _ kitchen: Kitchen) async throws {
        try await kitchen.owner.phone.send(try .put(Self.own + "/open", ["open": isOpen]))
    }

    /// The restaurant as a customer is shown it at this moment.
    public func kitchen(_ kitchen: Kitchen, shownTo customer: Newcomer) async throws -> Kitchen {
        let page: Page = try await customer.phone.send(.get("/dispatch/v1/restaurants/\(kitchen.id.path)")).decode()
        return Kitchen(owner: kitchen.owner, id: page.restaurant, menu: page.menu)
    }

    // MARK: Orders

    /// The open ones around a place.
    public func restaurants(_ customer: Newcomer, near place: Coordinate) async throws -> [UUID] {
        let path = "/dispatch/v1/markets/\(Self.market)/restaurants"
        let query = [("latitude", "\(place.latitude)"), ("longitude", "\(place.longitude)")]
        return try await customer.phone.send(.get(path, query: query)).decode(Near.self).items.map(\.restaurant)
    }

    /// Two soups and a bread, at the price of a quote; it waits for its payment.
    public func meal(_ customer: Newcomer, of kitchen: Kitchen, to place: Coordinate) async throws -> OrderView {
        let quote: Quote = try await customer.phone.send(
            try .post("/dispatch/v1/quotes", Question(restaurant: kitchen.id, to: place))
        ).decode()
        let entries = zip(kitchen.menu, [2, 1]).map { Cart.Entry(item: $0.item, count: $1, price: $0.price) }
        let cart = Cart(restaurant: kitchen.id, quote: quote.quote, items: entries)
        return try await customer.phone.send(
            try .post("/dispatch/v1/markets/\(Self.market)/meals", cart)
        ).decode()
    }

    /// The restaurant takes it, and promises it for in a minute.
    public func prepare(_ order: UUID, _ kitchen: Kitchen) async throws {
        try await kitchen.owner.phone.send(try .post("/dispatch/v1/orders/\(order.path)/accept", ["minutes": 1]))
    }

    public func sales(_ kitchen: Kitchen) async throws -> Sales {
        try await kitchen.owner.phone.send(.get(Self.own + "/sales")).decode()
    }
}
