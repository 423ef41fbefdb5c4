public import Foundation
public import Messaging

/// An admin opened or closed a restaurant.
public struct RestaurantManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case opened, closed
    }

    public static let name: MessageName = "dispatch.restaurant.managed.v1"
    public var restaurant: UUID
    public var market: String
    /// The owner's account.
    public var owner: UUID
    public var act: Act
    /// For people: `reason`.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { restaurant.text }

    public init(
        restaurant: UUID, market: String, owner: UUID, act: Act, details: [String: String], by: UUID, at: Date
    ) {
        self.restaurant = restaurant
        self.market = market
        self.owner = owner
        self.act = act
        self.details = details
        self.by = by
        self.at = at
    }
}
