public import Foundation

/// A place and when somebody was there, as satellites tell a phone.
public struct Fix: Hashable, Sendable {
    public let place: GeoPoint
    public let at: Date

    public init(place: GeoPoint, at: Date) {
        self.place = place
        self.at = at
    }

    /// Nobody goes faster than this: 300 km/h.
    public static let fastestMetresPerSecond = 300 / 3.6
    /// How far two measurements of one place may lie apart.
    public static let errorMetres = 100.0

    /// The same of the place's cell.
    public var coarse: Fix { Fix(place: place.coarse, at: at) }

    /// Whether somebody who was at `last` can be here now.
    public func isReachable(from last: Fix) -> Bool {
        let seconds = max(0, at.timeIntervalSince(last.at))
        return last.place.metres(to: place) <= seconds * Self.fastestMetresPerSecond + Self.errorMetres
    }

    /// Whether it may take the place of the last one.
    ///
    /// An older one never may, and an absurd jump may not while the last place is fresh. Once that is stale the new one
    /// is believed: else one wrong measurement on the other side of the world would stand for a day.
    /// - Parameter freshness: seconds.
    public func mayFollow(_ last: Fix?, isManual: Bool, freshness: TimeInterval) -> Bool {
        guard let last else { return true }
        guard at > last.at else { return false }
        return isManual || at.timeIntervalSince(last.at) > freshness || isReachable(from: last)
    }
}
