public import Messaging

/// Republishes all entries of a market's catalogue that its admins have ever changed or added.
public struct CatalogueTold: Message {
    public static let name: MessageName = "admin.catalogue.told.v1"

    /// An entry, with the version of its newest change.
    public struct Entry: Codable, Hashable, Sendable {
        public var entry: CatalogueEntry
        public var version: Int

        public init(entry: CatalogueEntry, version: Int) {
            self.entry = entry
            self.version = version
        }
    }

    public var market: String
    /// The version of the market's catalogue: no other entry had been changed at this version.
    public var version: Int
    public var entries: [Entry]
    public var aggregate: String { "catalogue \(market)" }

    public init(market: String, version: Int, entries: [Entry]) {
        self.market = market
        self.version = version
        self.entries = entries
    }
}
