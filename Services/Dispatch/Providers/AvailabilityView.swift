import Foundation
import Hummingbird
import Matching

struct AvailabilityView: ResponseEncodable, Encodable, Sendable {
    let available: Bool
    let since: Date?
    /// The last one that is known.
    let position: PositionView?
    /// Whether customers are shown the provider as far as the place is concerned: a stale one is not offered.
    let fresh: Bool

    init(since: Date?, last: Fix?, freshness: TimeInterval) {
        available = since != nil
        self.since = since
        position = last.map(PositionView.init)
        fresh = last.map { $0.at >= Date() - freshness } ?? false
    }
}
