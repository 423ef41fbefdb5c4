import Foundation
import Hummingbird
import Matching

struct AvailabilityView: ResponseEncodable, Encodable, Sendable {
    let available: Bool
    let since: Date?
    /// The last known position.
    let position: PositionView?
    /// Whether the position is recent enough for the provider to be offered to customers.
    let fresh: Bool

    init(since: Date?, last: Fix?, freshness: TimeInterval) {
        available = since != nil
        self.since = since
        position = last.map(PositionView.init)
        fresh = last.map { $0.at >= Date() - freshness } ?? false
    }
}
