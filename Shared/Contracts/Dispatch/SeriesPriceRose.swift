public import Foundation
public import Messaging

/// A visit of a series costs more than its customer agreed to. It is neither ordered nor charged before the customer
/// agrees to the new price; after ``until`` it is not ordered any more.
public struct SeriesPriceRose: Message {
    public static let name: MessageName = "dispatch.series.price_rose.v1"
    public var series: UUID
    public var customer: UUID
    public var market: String
    /// The day by which the series' rule names the visit, `2026-11-23`.
    public var day: String
    public var startsAt: Date
    /// The price that the customer agreed to.
    public var agreed: Money
    /// The price now.
    public var asked: Money
    public var until: Date
    /// Whether this is the last notice before ``until``.
    public var isLast: Bool
    public var at: Date
    public var aggregate: String { series.text }

    public init(
        series: UUID, customer: UUID, market: String, day: String, startsAt: Date, agreed: Money, asked: Money,
        until: Date, isLast: Bool, at: Date
    ) {
        self.series = series
        self.customer = customer
        self.market = market
        self.day = day
        self.startsAt = startsAt
        self.agreed = agreed
        self.asked = asked
        self.until = until
        self.isLast = isLast
        self.at = at
    }
}
