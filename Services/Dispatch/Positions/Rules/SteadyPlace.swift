import Foundation
import Matching

/// Where a phone is when the trembling of its measurements is taken out.
///
/// Each new place is followed by a share of the distance: a small one of a short distance, which is noise, and all of it of a long
/// one, which is a way. So it does not depend on how often a phone posts, lags some metres behind who drives, and stays where it
/// is with who rests.
enum SteadyPlace {
    /// A distance of so many times the accuracy is followed in full.
    static let fullReach = 4.4
    /// The least share.
    static let leastShare = 0.15

    /// - Parameters:
    ///   - last: the steady place before; nil at the beginning.
    ///   - accuracy: what the phone says that it may be wrong by; metres.
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
