public import Foundation
public import Messaging

/// An admin acted on a bike: said that it is broken, lost or repaired, or brought it back to a rack.
public struct BikeManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case broken, lost, repaired, returned
    }

    public static let name: MessageName = "dispatch.bike.managed.v1"
    public var bike: UUID
    public var market: String
    public var act: Act
    /// The chosen values, for people: `note`, `order`, `rack`, `at`.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { bike.text }

    public init(bike: UUID, market: String, act: Act, details: [String: String], by: UUID, at: Date) {
        self.bike = bike
        self.market = market
        self.act = act
        self.details = details
        self.by = by
        self.at = at
    }
}
