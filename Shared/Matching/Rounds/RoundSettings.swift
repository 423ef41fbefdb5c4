/// How a market's rounds search and weigh.
public struct RoundSettings: Hashable, Sendable {
    /// Within which an order is searched for, one after another, ascending; at least one. The last is the market's
    /// search radius.
    public var radiiMetres: [Int] = [2_000, 5_000, 10_000]
    /// How long an order that somebody could take, but others needed more, waits before its radius is widened.
    public var widenAfterSeconds = 30
    /// How long an order is searched for at all.
    public var searchSeconds = 300
    /// How long a provider may think about an offer.
    public var offerSeconds = 20
    /// How old a place may be.
    public var freshSeconds = 120
    /// Providers weighed for one order, the nearest as the crow flies; a routing service takes no more at once.
    public var candidatesPerOrder = 100
    /// Seconds on the way that a minute of the provider's waiting makes good: who has waited longer goes first.
    public var fairnessSecondsPerMinute = 3
    /// At most so many seconds are made good.
    public var fairnessMostSeconds = 120
    /// Seconds on the way that a whole star less counts as.
    public var ratingSecondsPerStar = 30
    /// Whom nobody has rated counts as rated so; hundredths of a star.
    public var unratedAs = 450
    /// How many seconds a minute of the order's waiting is worth when not all orders can have somebody.
    public var agePriorityPerMinute = 30

    public init() {}
}
