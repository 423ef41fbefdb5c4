public import Foundation
public import Messaging

/// An admin acted on an order: sent it to a provider, changed its time, or ordered for a caller.
public struct OrderManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case ordered, assigned, unassigned, rescheduled, refused, cancelled
    }

    public static let name: MessageName = "dispatch.order.managed.v1"
    public var order: UUID
    public var market: String
    public var act: Act
    /// The chosen values, for people: `provider`, `time`, `reason`.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { order.text }

    public init(order: UUID, market: String, act: Act, details: [String: String], by: UUID, at: Date) {
        self.order = order
        self.market = market
        self.act = act
        self.details = details
        self.by = by
        self.at = at
    }
}
