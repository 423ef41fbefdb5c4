public import Foundation

/// A position with its time, as a phone's satellite receiver reports it.
public struct Fix: Hashable, Sendable {
    public let place: GeoPoint
    public let at: Date

    public init(place: GeoPoint, at: Date) {
        self.place = place
        self.at = at
    }

    /// The highest believed speed: 300 km/h.
    public static let fastestMetresPerSecond = 300 / 3.6
    /// The largest distance between two measurements of one place.
    public static let errorMetres = 100.0

    /// The same fix at the centre of the place's cell.
    public var coarse: Fix { Fix(place: place.coarse, at: at) }

    /// Whether a phone that was at `last` can be here now.
    public func isReachable(from last: Fix) -> Bool {
        let seconds = max(0, at.timeIntervalSince(last.at))
        return last.place.metres(to: place) <= seconds * Self.fastestMetresPerSecond + Self.errorMetres
    }

    /// Whether this fix may replace the last one.
    ///
    /// An older fix never may, and an impossible jump may not while the last fix is fresh. When the last one is stale,
    /// the new one is believed: otherwise one wrong measurement on the other side of the world would stay for a day.
    /// - Parameter freshness: seconds.
    public func mayFollow(_ last: Fix?, isManual: Bool, freshness: TimeInterval) -> Bool {
        guard let last else { return true }
        guard at > last.at else { return false }
        return isManual || at.timeIntervalSince(last.at) > freshness || isReachable(from: last)
    }
}
