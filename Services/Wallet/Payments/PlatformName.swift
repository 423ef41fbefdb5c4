import Contracts

/// The platform's name in statements.
enum PlatformName {
    /// The market's English name, since a line is written once for readers of all languages; the id of an unknown
    /// market.
    static func of(_ market: String) -> String { Market.named(market)?.name.text(in: "en") ?? market }

    /// A party of a line for a reader: where the platform was written, its name in the reader's language.
    static func shown(_ party: String, in market: String, _ language: String) -> String {
        guard let name = Market.named(market)?.name, party == name.text(in: "en") else { return party }
        return name.text(in: language)
    }
}
