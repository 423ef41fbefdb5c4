public import Foundation
public import Messaging

/// A visit of a series gets no order, unless its customer moves it: it was refused, or its time was over before it
/// could be ordered.
public struct SeriesVisitDropped: Message {
    public static let name: MessageName = "dispatch.series.visit_dropped.v1"
    public var series: UUID
    public var customer: UUID
    public var market: String
    /// The day by which the series' rule names the visit, `2026-11-23`. It stays when the visit is moved.
    public var day: String
    public var startsAt: Date
    /// A slug; `missed` when its time was over.
    public var reason: String
    public var at: Date
    public var aggregate: String { series.text }

    public init(
        series: UUID, customer: UUID, market: String, day: String, startsAt: Date, reason: String, at: Date
    ) {
        self.series = series
        self.customer = customer
        self.market = market
        self.day = day
        self.startsAt = startsAt
        self.reason = reason
        self.at = at
    }
}
