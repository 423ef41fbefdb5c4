public import Foundation
public import Messaging

/// An admin began a series for a caller, or changed it as its customer asked on the phone. The customer is told.
public struct SeriesManaged: Message {
    public enum Act: String, Codable, Sendable, CaseIterable {
        case begun, ended, skipped, moved
        case paymentChanged = "payment-changed"
    }

    public static let name: MessageName = "dispatch.series.managed.v1"
    public var series: UUID
    public var market: String
    public var customer: UUID
    public var act: Act
    /// The chosen values, for people: `day` of a visit or of the first one, its new `time`, both on the market's clock;
    /// the `method` of payment.
    public var details: [String: String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { series.text }

    public init(
        series: UUID, market: String, customer: UUID, act: Act, details: [String: String], by: UUID, at: Date
    ) {
        self.series = series
        self.market = market
        self.customer = customer
        self.act = act
        self.details = details
        self.by = by
        self.at = at
    }
}
