public import Contracts
public import Foundation

/// A market's settings as its admin sees them, by key, each in the form in which it is set.
public struct SettingsView: Decodable, Sendable {
    public struct Setting: Decodable, Sendable {
        public let key: String
        public let value: String
    }

    public let items: [Setting]

    public subscript(key: MarketSettings.Key) -> String? { items.first { $0.key == key.rawValue }?.value }
}

/// An order as an admin sees it.
public struct AdminOrderView: Decodable, Sendable {
    public let order: UUID
    public let state: OrderSnapshot.State
    public let version: Int
    public let companion: String?
}

/// Everything that happened to an order, as an admin sees it.
public struct OrderTimeline: Decodable, Sendable {
    public struct Event: Decodable, Sendable {
        /// On the wire, such as `dispatch.order.accepted.v1`.
        public let name: String
        /// Of the order; nil of what is no change of it.
        public let version: Int?
        public let by: String?
        public let reason: String?
    }

    public struct Payment: Decodable, Sendable {
        /// `card`, `wallet`, `cash`; nil until one was chosen.
        public let method: String?
    }

    /// The oldest first.
    public let timeline: [Event]
    /// As the wallet has told of it; nil when it has not.
    public let money: Payment?
}

extension Phone {
    public func verify(_ provider: UUID, as title: String, in market: String) async throws {
        try await send(
            try .post(
                "/identity/v1/markets/\(market)/providers/\(provider.path)/verification",
                ["decision": "verify", "title": title]))
    }

    public func reject(_ provider: UUID, in market: String, reason: String) async throws {
        try await send(
            try .post(
                "/identity/v1/markets/\(market)/providers/\(provider.path)/verification",
                ["decision": "reject", "reason": reason]))
    }

    public func settings(of market: String) async throws -> SettingsView {
        try await send(.get("/admin/v1/markets/\(market)/settings")).decode()
    }

    public func set(_ key: MarketSettings.Key, to value: String, in market: String) async throws {
        try await send(try .put("/admin/v1/markets/\(market)/settings/\(key.rawValue)", ["value": value]))
    }

    public func timeline(of order: UUID) async throws -> OrderTimeline {
        try await send(.get("/admin/v1/orders/\(order.path)")).decode()
    }

    public func adminOrder(_ id: UUID) async throws -> AdminOrderView {
        try await send(.get("/admin/v1/orders/\(id.path)")).decode()
    }
}
