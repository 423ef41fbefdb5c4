public import Foundation
public import Messaging

/// An admin acted on a rack of bikes: added it, changed it, gave it a key, or counted its bikes.
public struct RackManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case added, changed, keyed, stocked
    }

    public static let name: MessageName = "dispatch.rack.managed.v1"
    public var rack: UUID
    public var market: String
    public var act: Act
    /// The chosen values, for people: `name`, `place`, `type`, `count`.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { rack.text }

    public init(rack: UUID, market: String, act: Act, details: [String: String], by: UUID, at: Date) {
        self.rack = rack
        self.market = market
        self.act = act
        self.details = details
        self.by = by
        self.at = at
    }
}
