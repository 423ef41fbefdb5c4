import Foundation

/// Why a provider is excluded for an order. When several rules apply, the first in this order is reported.
public enum RoundRule: String, Hashable, Sendable, CaseIterable, Codable {
    case banned
    case unverified
    case unsubscribed
    case unavailable
    case busy
    case onOffer = "on-offer"
    case outOfHours = "out-of-hours"
    /// The current position is unknown.
    case stale
    /// Does other kinds of work.
    case otherKind = "other-kind"
    /// The provider is the customer.
    case ownOrder = "own-order"
    case declined
    /// The order's search time is over.
    case searchOver = "search-over"
    /// Farther away than the order's radius.
    case outOfRadius = "out-of-radius"
    /// Enough other providers are nearer.
    case notAmongNearest = "not-among-nearest"
    /// There is no way, or its travel time is unknown.
    case unreachable
    /// For food: cannot get it before the end of the shift.
    case shiftOver = "shift-over"
    /// For food: enough other couriers can be there sooner.
    case notAmongFirst = "not-among-first"

    private static let ofFacts: [(RoundProvider.Facts, RoundRule)] = [
        (.banned, .banned), (.unverified, .unverified), (.unsubscribed, .unsubscribed), (.unavailable, .unavailable),
        (.busy, .busy), (.onOffer, .onOffer), (.outOfHours, .outOfHours),
    ]

    /// The rule that excludes a provider for every order.
    static func always(_ provider: RoundProvider, now: Int, settings: RoundSettings) -> RoundRule? {
        for (fact, rule) in ofFacts where provider.facts.contains(fact) { return rule }
        return now - provider.placeAt > settings.freshSeconds ? .stale : nil
    }

    /// The rule that excludes a free provider of this kind of work for one order, wherever both are.
    static func between(_ provider: UUID, _ order: RoundOrder, isOver: Bool) -> RoundRule? {
        if provider == order.customer { return .ownOrder }
        if !order.declined.isEmpty, order.declined.contains(provider) { return .declined }
        return isOver ? .searchOver : nil
    }
}
