import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// A restaurant in Perth, customers near it, couriers, and rounds.
struct MealWorld: Sendable {
    let rides: RideWorld
    let owner: UUID
    let restaurant: UUID
    let soup: MenuItem
    let bread: MenuItem

    var orders: OrderWorld { rides.orders }
    var pool: PostgresPool { rides.pool }
    var operations: OrderOperations { orders.operations }

    static func with(_ body: (MealWorld) async throws -> Void) async throws {
        try await OrderWorld.with { try await body(MealWorld($0)) }
    }

    static func item(_ name: String, _ price: Int) -> MenuItem {
        MenuItem(
            id: .timeOrdered(), name: name, arabicName: nil, price: price, ingredients: nil, picture: nil)
    }

    /// One that takes orders.
    static func open(
        _ name: String, _ menu: [MenuItem], at place: GeoPoint = RideWorld.perth, in pool: PostgresPool
    ) async throws -> (owner: UUID, restaurant: UUID) {
        let (owner, id) = (UUID.timeOrdered(), UUID.timeOrdered())
        let card = Restaurant.Card(
            name: name, arabicName: nil, description: nil, latitude: place.latitude, longitude: place.longitude,
            preparationMinutes: 20)
        try await pool.withTransaction { transaction in
            transaction.send(InsertDrivers(accounts: [owner], title: "restaurant", vehicle: nil, isAvailable: false))
            transaction.send(StoreRestaurant(id: id, market: "btnc", owner: owner, card: card, now: .thisMillisecond))
            for item in menu { transaction.send(InsertMenuItem(item: item, restaurant: id)) }
            transaction.send(SwitchRestaurant(restaurant: id, isOpen: true, now: .thisMillisecond))
        }
        return (owner, id)
    }

    // MARK: Ordering

    /// A quote for the way to a customer.
    func quote(
        _ customer: UUID, of id: UUID? = nil, north metres: Double = 1_000, wait: Int? = 60, total: Int = 700,
        roughPrice: Int? = nil, at now: Date = .thisMillisecond
    ) async throws -> UUID {
        let fare = Tariff(base: total, perKilometre: 0, perMinute: 0, minimum: 0).fare(metres: 1_500, seconds: 200)
        let (from, to) = (RideWorld.perth, RideWorld.north(metres))
        var terms = Quote.Terms(
            metres: 1_500, seconds: 200, waitSeconds: wait, fare: fare,
            surge: Quote.SurgeTerms(percent: 100, waiting: 0, free: 0, isCapped: false, radiusMetres: 3_000))
        terms.restaurant = id ?? restaurant
        terms.preparationSeconds = 1_200
        terms.roughPrice = roughPrice
        let quote = Quote(
            id: .timeOrdered(), market: "btnc", account: customer, kind: "food", tariff: "food",
            from: Order.Place(latitude: from.latitude, longitude: from.longitude, description: "Levant"),
            to: Order.Place(latitude: to.latitude, longitude: to.longitude, description: "Blue door"), terms: terms,
            total: total, currency: "AUD", promo: nil, madeAt: now, expiresAt: now + 300, order: nil)
        try await pool.execute(try InsertQuote(quote))
        return quote.id
    }

    /// Two soups and a bread: 2 750, and 700 for the way.
    func input(_ customer: UUID, _ quote: UUID, price: Int = 1_200) -> RequestMeal.Input {
        RequestMeal.Input(
            market: .btnc, customer: customer, restaurant: restaurant, quote: quote,
            cart: Cart(entries: [
                .init(item: soup.id, count: 2, price: price), .init(item: bread.id, count: 1, price: 350),
            ]))
    }

    func request(_ input: RequestMeal.Input, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.requestMeal(input, at: now, in: transaction).order
        }
    }

    /// A paid order, which waits for the restaurant.
    func requested(north metres: Double = 1_000, at now: Date = .thisMillisecond) async throws -> Order {
        let customer = try await orders.addCustomer("Mira")
        let quote = try await quote(customer, north: metres, at: now)
        return try await pool.withTransaction { transaction in
            let order = try await operations.requestMeal(input(customer, quote), at: now, in: transaction).order.id
            try await operations.recordPayment(SampleOrder.held(), of: order, at: now, in: transaction)
            return try #require(try await transaction.first(FindOrder(order: order))?.details()).order
        }
    }

    /// One that the restaurant prepares.
    func preparing(
        _ minutes: Int = 1, north metres: Double = 1_000, at now: Date = .thisMillisecond
    ) async throws -> Order {
        try await accept(try await requested(north: metres, at: now), minutes: minutes, at: now)
    }

    // MARK: What the three do

    func accept(_ order: Order, minutes: Int? = nil, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.accept(
                order.id, by: owner, AcceptOrder.Input(minutes: minutes), at: now, in: transaction
            ).order
        }
    }

    func ready(_ order: Order) async throws {
        _ = try await pool.withTransaction { transaction in
            try await operations.change(.ready, of: order.id, by: owner, at: .thisMillisecond, in: transaction)
        }
    }

    func decline(_ order: Order, by account: UUID? = nil) async throws {
        _ = try await pool.withTransaction { transaction in
            try await operations.change(
                .decline(reason: "No more bread"), of: order.id, by: account ?? owner, at: .thisMillisecond,
                in: transaction)
        }
    }

    func accept(_ order: Order, by courier: UUID) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.accept(
                order.id, by: courier, AcceptOrder.Input(), at: .thisMillisecond, in: transaction
            ).order
        }
    }

    func giveUp(_ order: Order, by courier: UUID) async throws {
        _ = try await pool.withTransaction { transaction in
            try await operations.change(
                .giveUp(reason: nil), of: order.id, by: courier, at: .thisMillisecond, in: transaction)
        }
    }

    func handOver(_ order: Order, _ code: String?) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.start(order.id, by: owner, code: code, at: .thisMillisecond, in: transaction).order
        }
    }

    func details(_ order: UUID) async throws -> Order { try await orders.details(order).order }

    func sales() async throws -> [SalesRow] {
        let today = LocalDay(number: Int(Date().timeIntervalSince1970 / 86_400))
        return try await pool.query(
            ListSales(
                restaurant: restaurant, currency: .dollar, first: today.advanced(by: -2), last: today.advanced(by: 2),
                limit: 10))
    }
}

extension MealWorld {
    init(_ orders: OrderWorld) async throws { try await self.init(RideWorld(orders)) }

    /// Another restaurant, at the same place.
    init(_ rides: RideWorld) async throws {
        let (soup, bread) = (Self.item("Soup", 1_200), Self.item("Bread", 350))
        let (owner, restaurant) = try await Self.open("Levant", [soup, bread], in: rides.pool)
        self.init(rides: rides, owner: owner, restaurant: restaurant, soup: soup, bread: bread)
    }
}
