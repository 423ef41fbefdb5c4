import Foundation
import Matching

/// Time since which a phone has reported about the same place, by the server's clock, since a phone's clock can be set.
/// A single position may be wrong or invented; where money depends on it, two positions that agree, some time apart,
/// are required.
struct Stay: Hashable, Sendable {
    /// Maximum distance of agreeing positions, in metres.
    static let agreementMetres = 150.0
    /// Minimum duration of a stay that proves presence, in seconds.
    static let leastSeconds: TimeInterval = 10

    /// First of the agreeing positions, with the time of its report.
    let since: Fix
    /// Time of the last report.
    private(set) var toldAt: Date

    /// A new stay.
    init(at place: GeoPoint, toldAt: Date) {
        since = Fix(place: place, at: toldAt)
        self.toldAt = toldAt
    }

    init(since: Fix, toldAt: Date) {
        self.since = since
        self.toldAt = toldAt
    }

    /// The stay after the next position.
    func moved(to place: GeoPoint, toldAt: Date) -> Stay {
        guard since.place.metres(to: place) <= Self.agreementMetres else { return Stay(at: place, toldAt: toldAt) }
        return Stay(since: since, toldAt: max(toldAt, self.toldAt))
    }

    /// Whether the stay proves presence, with this last position.
    func isProved(by last: GeoPoint) -> Bool {
        since.place.metres(to: last) <= Self.agreementMetres
            && toldAt.timeIntervalSince(since.at) >= Self.leastSeconds
    }
}
