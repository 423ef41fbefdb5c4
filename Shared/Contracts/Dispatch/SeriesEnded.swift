public import Foundation
public import Messaging

/// A series has ended without its customer's request: there will be no more visits.
public struct SeriesEnded: Message {
    public static let name: MessageName = "dispatch.series.ended.v1"
    public var series: UUID
    public var customer: UUID
    public var market: String
    /// `customer-banned`, `customer-removed`, `relative-left`, `relative-banned`, `relative-removed`.
    public var reason: String
    public var at: Date
    public var aggregate: String { series.text }

    public init(series: UUID, customer: UUID, market: String, reason: String, at: Date) {
        self.series = series
        self.customer = customer
        self.market = market
        self.reason = reason
        self.at = at
    }
}
