public import Contracts
public import Foundation

/// An order to be made.
public struct OrderForm: Encodable, Sendable {
    public var market: String
    public var provider: UUID
    public var services: [String]
    public var latitude: Double
    public var longitude: Double
    public var description: String?
    /// What the customer was shown.
    public var total: Money?

    public init(
        market: String, provider: UUID, services: [String], at place: Coordinate, description: String? = nil,
        total: Money? = nil
    ) {
        self.market = market
        self.provider = provider
        self.services = services
        latitude = place.latitude
        longitude = place.longitude
        self.description = description
        self.total = total
    }
}

extension Phone {
    public func market(_ market: String) async throws -> MarketView {
        try await send(.get("/dispatch/v1/markets/\(market)")).decode()
    }

    /// Nearest first.
    public func providers(
        in market: String, for services: [String], near place: Coordinate, gender: String? = nil, name: String? = nil,
        limit: Int? = nil
    ) async throws -> [ProviderListing] {
        let query: [(String, String?)] = [
            ("services", services.joined(separator: ",")), ("latitude", "\(place.latitude)"),
            ("longitude", "\(place.longitude)"), ("gender", gender), ("name", name), ("limit", limit.map(String.init)),
        ]
        return try await send(.get("/dispatch/v1/markets/\(market)/providers", query: query))
            .decode(Items<ProviderListing>.self).items
    }

    /// Orders as soon as dispatch has heard of the account: it asks to try again in a moment until then.
    public func order(_ form: OrderForm, key: String = UUID().uuidString.lowercased()) async throws -> OrderView {
        let sent = try Call.post("/dispatch/v1/orders", form, key: key)
        var order: OrderView?
        try await until("dispatch has heard of the account") {
            do {
                order = try await send(sent).decode()
            } catch let refusal as Refusal where refusal.slug == "account-not-ready" {
                return false
            }
            return true
        }
        guard let order else { throw Impatience(what: "the order", limit: .zero) }
        return order
    }

    public func order(_ id: UUID) async throws -> OrderView {
        try await send(.get("/dispatch/v1/orders/\(id.path)")).decode()
    }

    /// - Parameter section: `active` or `inactive` for customers, `new` or `past` for providers.
    public func orders(as role: String, section: String, cursor: String? = nil) async throws -> Items<OrderView> {
        try await send(
            .get("/dispatch/v1/orders", query: [("role", role), ("section", section), ("cursor", cursor)])
        ).decode()
    }

    /// `accept`, `decline`, `cancel`, `arrive`, `complete`.
    @discardableResult
    public func act(
        _ act: String, on order: UUID, _ body: [String: String] = [:], key: String = UUID().uuidString.lowercased()
    ) async throws -> OrderView {
        try await send(try .post("/dispatch/v1/orders/\(order.path)/\(act)", body, key: key)).decode()
    }

    /// The provider cannot do it after all. The order is nothing of his or hers any more.
    public func giveUp(_ order: UUID) async throws {
        try await send(try .post("/dispatch/v1/orders/\(order.path)/give-up"))
    }

    public func rate(
        _ order: UUID, stars: Int, serviceStars: Int? = nil, comment: String? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws {
        struct Form: Encodable {
            let stars: Int
            let serviceStars: Int?
            let comment: String?
        }
        let form = Form(stars: stars, serviceStars: serviceStars, comment: comment)
        try await send(try .post("/dispatch/v1/orders/\(order.path)/rating", form, key: key))
    }

    public func tracking(_ order: UUID) async throws -> TrackingView {
        try await send(.get("/dispatch/v1/orders/\(order.path)/tracking")).decode()
    }

    /// Sets which services a provider does, and for how much.
    public func setOfferings(_ offerings: [Offering], in market: String) async throws {
        try await send(try .put("/dispatch/v1/markets/\(market)/offerings", ["offerings": offerings]))
    }

    public func setAvailable(_ available: Bool, at place: Coordinate? = nil, in market: String) async throws {
        struct Form: Encodable {
            let available: Bool
            let latitude, longitude: Double?
        }
        let form = Form(available: available, latitude: place?.latitude, longitude: place?.longitude)
        try await send(try .put("/dispatch/v1/markets/\(market)/availability", form))
    }

    public func availability(in market: String) async throws -> AvailabilityView {
        try await send(.get("/dispatch/v1/markets/\(market)/availability")).decode()
    }

    /// The phone is on the way to a place, and there as soon as that is possible; then its owner says so.
    public func arrive(_ order: UUID, at place: Coordinate) async throws {
        try await until("the phone is at the place", within: .seconds(120)) {
            try await post(position: place)
            do {
                try await act("arrive", on: order)
                return true
            } catch let refusal as Refusal where ["not-at-place", "too-early"].contains(refusal.slug) {
                return false
            }
        }
    }

    public func post(position: Coordinate) async throws {
        try await send(try .post("/dispatch/v1/positions", position))
    }
}
