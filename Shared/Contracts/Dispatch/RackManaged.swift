public import Foundation
public import Messaging

/// An admin has done something about a rack of bikes: set it up, moved it, given it a key, counted its bikes.
public struct RackManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case added, changed, keyed, stocked
    }

    public static let name: MessageName = "dispatch.rack.managed.v1"
    public var rack: UUID
    public var market: String
    public var act: Act
    /// What was chosen, for people: `name`, `place`, `type`, `count`.
    public var details: [String: String]
    /// The admin.
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
