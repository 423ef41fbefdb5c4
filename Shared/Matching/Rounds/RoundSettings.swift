/// A market's settings of searching and weighing in rounds.
public struct RoundSettings: Hashable, Sendable {
    /// The search radii of an order, one after another, ascending; at least one. The last is the market's search
    /// radius.
    public var radiiMetres: [Int] = [2_000, 5_000, 10_000]
    /// How long an order with candidates that were needed more elsewhere waits before its radius is widened.
    public var widenAfterSeconds = 30
    /// How long a provider is searched for an order.
    public var searchSeconds = 300
    /// How long a provider has to answer an offer.
    public var offerSeconds = 20
    /// The largest age of a position.
    public var freshSeconds = 120
    /// The providers weighed for one order, by great-circle distance; a routing service accepts no more at once.
    public var candidatesPerOrder = 100
    /// The bonus in seconds on the way for a minute of the provider's waiting: a longer wait goes first.
    public var fairnessSecondsPerMinute = 3
    /// The highest bonus in seconds.
    public var fairnessMostSeconds = 120
    /// The cost of a missing star in seconds on the way.
    public var ratingSecondsPerStar = 30
    /// The rating of a provider without ratings, in hundredths of a star.
    public var unratedAs = 450
    /// The value in seconds of a minute of the order's waiting, when not all orders can get a provider.
    public var agePriorityPerMinute = 30

    public init() {}
}
