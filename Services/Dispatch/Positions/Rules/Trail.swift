import Foundation
import Matching

/// Positions of a running order's provider that are kept for fines and disputes.
struct Trail: Hashable, Sendable {
    /// Minimum time between two kept positions.
    static let pauseSeconds: TimeInterval = 15
    /// A provider who has moved less is at rest.
    static let stepMetres = 20.0
    /// Interval of kept positions of a provider at rest; they prove the presence.
    static let restSeconds: TimeInterval = 300

    let order: UUID
    /// Version of the order when this was read.
    let version: Int
    /// The last kept position; nil before the first.
    let last: Fix?
    /// Time of the provider's acceptance. Positions that were measured before it may be reported later and are not
    /// kept.
    var acceptedAt: Date?

    /// Whether this position must be kept.
    func keeps(_ fix: Fix) -> Bool {
        if let acceptedAt, fix.at < acceptedAt { return false }
        guard let last else { return true }
        let seconds = fix.at.timeIntervalSince(last.at)
        guard seconds >= Self.pauseSeconds else { return false }
        return seconds >= Self.restSeconds || last.place.metres(to: fix.place) >= Self.stepMetres
    }
}
