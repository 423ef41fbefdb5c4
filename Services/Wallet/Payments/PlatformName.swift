import Contracts

/// The platform's name in statements.
enum PlatformName {
    /// The market's English name, since a line is written once for readers of all languages; the id of an unknown
    /// market.
    static func of(_ market: String) -> String { Market.named(market)?.name.text(in: "en") ?? market }
}
