import Foundation
import Matching

/// The way of a running order's provider, as far as it is kept for fines and disputes.
struct Trail: Hashable, Sendable {
    /// Two places that are kept are so many seconds apart at least.
    static let pauseSeconds: TimeInterval = 15
    /// Who has moved less is at rest.
    static let stepMetres = 20.0
    /// Of somebody at rest a place is kept so often, to show that he or she was there.
    static let restSeconds: TimeInterval = 300

    let order: UUID
    /// The order's, when this was read.
    let version: Int
    /// The last place that is kept; nil before the first.
    let last: Fix?
    /// When the provider said yes: what was measured before may be reported after.
    var acceptedAt: Date?

    /// Whether a place is kept, too.
    func keeps(_ fix: Fix) -> Bool {
        if let acceptedAt, fix.at < acceptedAt { return false }
        guard let last else { return true }
        let seconds = fix.at.timeIntervalSince(last.at)
        guard seconds >= Self.pauseSeconds else { return false }
        return seconds >= Self.restSeconds || last.place.metres(to: fix.place) >= Self.stepMetres
    }
}
