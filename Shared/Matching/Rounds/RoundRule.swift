import Foundation

/// Why a provider is not weighed for an order. When several hold, the first in this order is told.
public enum RoundRule: String, Hashable, Sendable, CaseIterable, Codable {
    case banned
    case unverified
    case unsubscribed
    case unavailable
    case busy
    case onOffer = "on-offer"
    case outOfHours = "out-of-hours"
    /// Nobody knows where the provider is now.
    case stale
    /// Does other things than this.
    case otherKind = "other-kind"
    /// The provider is the customer.
    case ownOrder = "own-order"
    case declined
    /// The order has been searched for long enough.
    case searchOver = "search-over"
    /// Farther away than the order's radius.
    case outOfRadius = "out-of-radius"
    /// Others are nearer, and there are enough of them.
    case notAmongNearest = "not-among-nearest"
    /// There is no way, or nobody could say how long it takes.
    case unreachable
    /// Of food: cannot have it before the end of the shift.
    case shiftOver = "shift-over"
    /// Of food: others can be there sooner, and there are enough of them.
    case notAmongFirst = "not-among-first"

    private static let ofFacts: [(RoundProvider.Facts, RoundRule)] = [
        (.banned, .banned), (.unverified, .unverified), (.unsubscribed, .unsubscribed), (.unavailable, .unavailable),
        (.busy, .busy), (.onOffer, .onOffer), (.outOfHours, .outOfHours),
    ]

    /// What keeps a provider from every order.
    static func always(_ provider: RoundProvider, now: Int, settings: RoundSettings) -> RoundRule? {
        for (fact, rule) in ofFacts where provider.facts.contains(fact) { return rule }
        return now - provider.placeAt > settings.freshSeconds ? .stale : nil
    }

    /// What keeps a free provider who does such things from one order, wherever both are.
    static func between(_ provider: UUID, _ order: RoundOrder, isOver: Bool) -> RoundRule? {
        if provider == order.customer { return .ownOrder }
        if !order.declined.isEmpty, order.declined.contains(provider) { return .declined }
        return isOver ? .searchOver : nil
    }
}
