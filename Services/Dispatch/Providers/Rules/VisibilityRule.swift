/// The reasons why nobody sees a provider, whom customers or the platform would otherwise find (C3, C8).
enum UnseenReason: String, CaseIterable, Sendable {
    case notVerified = "not-verified"
    case noPrices = "no-prices"
    case switchedOff = "switched-off"
    case notSubscribed = "not-subscribed"
    case orderRunning = "order-running"
    case stalePlace = "stale-place"
}

/// Facts that decide whether customers find a provider.
struct VisibilityRule: Hashable, Sendable {
    var isVerified: Bool
    /// Whether the provider has prices, or has a title for which the platform searches.
    var hasPrices: Bool
    var isAvailable: Bool
    var isSubscribed: Bool
    /// Whether the market asks for a subscription.
    var needsSubscription: Bool
    var holdsOrder: Bool
    /// Whether the last position is recent enough.
    var isFresh: Bool

    /// The first thing to be done about it; nil for a provider who is seen.
    var reason: UnseenReason? {
        if !isVerified { return .notVerified }
        if !hasPrices { return .noPrices }
        if !isAvailable { return .switchedOff }
        if needsSubscription, !isSubscribed { return .notSubscribed }
        if holdsOrder { return .orderRunning }
        return isFresh ? nil : .stalePlace
    }
}
