import Foundation
import Matching

/// A phone's place without the noise of its measurements.
///
/// The steady place follows each new position by a share of the distance: a small share of a short distance (noise),
/// all of a long one (movement). So the result does not depend on how often a phone reports, lags some metres behind a
/// moving phone and rests with a resting one.
enum PositionSmoothing {
    /// A distance of this many times the accuracy is followed in full.
    static let fullReach = 4.4
    /// Minimum share.
    static let leastShare = 0.15

    /// - Parameters:
    ///   - last: the previous steady place; nil at the start.
    ///   - accuracy: the phone's stated accuracy in metres.
    static func following(_ place: GeoPoint, after last: GeoPoint?, accuracy: Double?) -> GeoPoint {
        guard let last else { return place }
        let share = max(leastShare, last.metres(to: place) / (Odometer.bounded(accuracy) * fullReach))
        guard share < 1 else { return place }
        let east = (place.longitude - last.longitude).remainder(dividingBy: 360)
        return GeoPoint(
            latitude: last.latitude + share * (place.latitude - last.latitude),
            longitude: (last.longitude + share * east).remainder(dividingBy: 360))
    }
}
