public import Foundation
public import Messaging

/// An admin read the trail of an order's provider.
public struct TrailViewed: Message {
    public static let name: MessageName = "dispatch.trail.viewed.v1"
    public var order: UUID
    public var market: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { order.text }

    public init(order: UUID, market: String, by: UUID, at: Date) {
        self.order = order
        self.market = market
        self.by = by
        self.at = at
    }
}
