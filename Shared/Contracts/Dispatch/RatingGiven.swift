public import Foundation
public import Messaging

/// One party of a completed order rated the other. At most once for each party and order.
public struct RatingGiven: Message {
    public static let name: MessageName = "dispatch.rating.given.v1"
    public var order: UUID
    public var market: String
    public var from: UUID
    public var to: UUID
    /// The party that rates.
    public var by: OrderSnapshot.Actor
    /// Stars for the person, 1...5.
    public var stars: Int
    /// Stars for the service, 1...5; from customers only.
    public var serviceStars: Int?
    public var comment: String?
    /// The seller of what was delivered, when the customer rates: the stars for the service are the seller's. The same as
    /// `to` where nobody delivered it. Nil for other orders, and in an older event.
    public var merchant: UUID?
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        order: UUID, market: String, from: UUID, to: UUID, by: OrderSnapshot.Actor, stars: Int, serviceStars: Int?,
        comment: String?, merchant: UUID? = nil, at: Date
    ) {
        self.order = order
        self.market = market
        self.from = from
        self.to = to
        self.by = by
        self.stars = stars
        self.serviceStars = serviceStars
        self.comment = comment
        self.merchant = merchant
        self.at = at
    }
}
