import Foundation
import Matching

/// Since when a phone has told about the same place. A single place can be a mistake, or invented; two that agree, with some
/// time between them, are believed where money depends on it.
struct Stay: Hashable, Sendable {
    /// Places that are no further apart agree; metres.
    static let agreementMetres = 150.0
    /// So long one has to be there; seconds.
    static let leastSeconds: TimeInterval = 10

    /// The first place of those that agree.
    let since: Fix

    /// After the next place.
    func moved(to fix: Fix) -> Stay {
        since.place.metres(to: fix.place) <= Self.agreementMetres && since.at <= fix.at ? self : Stay(since: fix)
    }

    /// Whether two places agree, of which this is the last one.
    func isProved(by last: Fix) -> Bool {
        since.place.metres(to: last.place) <= Self.agreementMetres
            && last.at.timeIntervalSince(since.at) >= Self.leastSeconds
    }
}
