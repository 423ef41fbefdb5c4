import Foundation
import Matching

/// Since when a phone has told about the same place, by our clock: that of a phone can be set. A single place can be a mistake,
/// or invented; two that agree, with some time between them, are believed where money depends on it.
struct Stay: Hashable, Sendable {
    /// Places that are no further apart agree; metres.
    static let agreementMetres = 150.0
    /// So long one has to be there; seconds.
    static let leastSeconds: TimeInterval = 10

    /// The first place of those that agree, and when it was told.
    let since: Fix
    /// When the last one was told.
    private(set) var toldAt: Date

    /// It begins.
    init(at place: GeoPoint, toldAt: Date) {
        since = Fix(place: place, at: toldAt)
        self.toldAt = toldAt
    }

    init(since: Fix, toldAt: Date) {
        self.since = since
        self.toldAt = toldAt
    }

    /// After the next place.
    func moved(to place: GeoPoint, toldAt: Date) -> Stay {
        guard since.place.metres(to: place) <= Self.agreementMetres else { return Stay(at: place, toldAt: toldAt) }
        return Stay(since: since, toldAt: max(toldAt, self.toldAt))
    }

    /// Whether two places agree, of which this is the last one.
    func isProved(by last: GeoPoint) -> Bool {
        since.place.metres(to: last) <= Self.agreementMetres
            && toldAt.timeIntervalSince(since.at) >= Self.leastSeconds
    }
}
