public import Foundation
public import Messaging

/// An admin changed entries of a market's catalogue: one, or those that moved in their section. Readers keep the newest
/// `version` of each entry.
public struct CatalogueChanged: Message {
    public static let name: MessageName = "admin.catalogue.changed.v1"
    public var market: String
    public var entries: [CatalogueEntry]
    /// Grows with each change of the market's catalogue.
    public var version: Int
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { "catalogue \(market)" }

    public init(market: String, entries: [CatalogueEntry], version: Int, by: UUID, at: Date) {
        self.market = market
        self.entries = entries
        self.version = version
        self.by = by
        self.at = at
    }
}
