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
    }

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
                "contactMobile": .text("+61412345678"), "businessAddress": .text("1 Hay Street, Perth"),
                "bankAccount": .text("036-001 654321"),
            ])
        try await verify(owner, as: "restaurant")
        let own = "/dispatch/v1/markets/\(Self.market)/restaurant"
        try await owner.phone.until("dispatch knows that the restaurant is verified") {
            do {
                try await owner.phone.send(
                    try .put(own, Card(name: name, latitude: place.latitude, longitude: place.longitude)))
                return true
            } catch let refusal as Refusal where refusal.status == 403 {
                return false
            }
        }
        for dish in [Dish(name: "Soup", price: 1_200), Dish(name: "Bread", price: 350)] {
            try await owner.phone.send(try .post(own + "/items", dish))
        }
        try await owner.phone.send(try .put(own + "/open", ["open": true]))
        let page: Page = try await owner.phone.send(.get(own)).decode()
        return Kitchen(owner: owner, id: page.restaurant, menu: page.menu)
    }

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

    /// The courier cannot come after all; the order is nothing of hers any more.
    public func giveUp(_ order: UUID, _ courier: Newcomer) async throws {
        try await courier.phone.send(try .post("/dispatch/v1/orders/\(order.path)/give-up"))
    }

    public func sales(_ kitchen: Kitchen) async throws -> Sales {
        try await kitchen.owner.phone.send(.get("/dispatch/v1/markets/\(Self.market)/restaurant/sales")).decode()
    }
}
