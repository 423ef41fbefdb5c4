public import Foundation
public import Messaging

/// The terms that people accept in a market are others now; told again with `admin republish`. Readers keep the greatest
/// `number` of each market. Until the first one the terms of the market's file hold.
public struct TermsPublished: Message {
    public static let name: MessageName = "admin.terms.published.v1"
    public var market: String
    /// What people accept, such as `2026-11-28-4`.
    public var version: String
    /// Without marks.
    public var text: LocalizedText
    /// Grows with each version.
    public var number: Int
    public var at: Date
    public var aggregate: String { "terms \(market)" }

    public init(market: String, version: String, text: LocalizedText, number: Int, at: Date) {
        self.market = market
        self.version = version
        self.text = text
        self.number = number
        self.at = at
    }
}
