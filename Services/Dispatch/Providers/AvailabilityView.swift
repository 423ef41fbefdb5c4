import Foundation
import Hummingbird
import Matching
import ServiceKit

struct AvailabilityView: ResponseEncodable, Encodable, Sendable {
    struct Subscription: Encodable, Sendable {
        /// Whether the market asks for one (C8).
        let required: Bool
        /// The end of the running one; nil without one.
        let endsAt: Date?
    }

    let available: Bool
    let since: Date?
    /// The last known position.
    let position: PositionView?
    /// Whether the position is recent enough for the provider to be offered to customers.
    let fresh: Bool
    let subscription: Subscription
    /// Whether the provider can be found now.
    let isSeen: Bool
    /// Why nobody finds the provider: `not-verified`, `no-prices`, `switched-off`, `not-subscribed`, `order-running`,
    /// `stale-place`.
    let unseenBecause: String?
    /// The same in the provider's language.
    let unseenText: String?

    /// - Parameter last: the position, which may be newer than the stored one.
    init(
        _ answer: FindAvailability.Answer, since: Date?, last: Fix?, freshness: TimeInterval, at now: Date,
        needsSubscription: Bool, words: ProblemCatalogue, in language: Language
    ) {
        available = since != nil
        self.since = since
        position = last.map(PositionView.init)
        fresh = last.map { $0.at >= now - freshness } ?? false
        subscription = Subscription(required: needsSubscription, endsAt: answer.subscribedUntil)
        let rule = VisibilityRule(
            isVerified: answer.isVerified, hasPrices: answer.hasPrices, isAvailable: since != nil,
            isSubscribed: answer.subscribedUntil != nil, needsSubscription: needsSubscription,
            holdsOrder: answer.isHeld, isFresh: fresh)
        isSeen = rule.reason == nil
        unseenBecause = rule.reason?.rawValue
        unseenText = rule.reason.flatMap { words.text("word.unseen.\($0.rawValue)", in: language) }
    }
}
