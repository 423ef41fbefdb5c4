import Contracts

/// What statements call the platform.
enum PlatformName {
    /// The market's own name in English, as lines are written once for all readers; of an unknown market its id.
    static func of(_ market: String) -> String { Market.named(market)?.name.text(in: "en") ?? market }
}
