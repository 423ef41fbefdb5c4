import Foundation
import Matching

/// Box of degrees that contains all places within some metres of a place, and some beyond; usable with an index on
/// degrees. It is cut at ±180°.
struct DegreeBox: Sendable {
    let latitudes: ClosedRange<Double>
    let longitudes: ClosedRange<Double>

    /// Contains all longitudes if the place is near a pole.
    init(around place: GeoPoint, metres: Double) {
        // One percent more than needed, so that rounding excludes nobody.
        let degrees = metres / 111_000 * 1.01
        latitudes = max(-90, place.latitude - degrees)...min(90, place.latitude + degrees)
        let farthest = max(abs(latitudes.lowerBound), abs(latitudes.upperBound))
        let shrink = cos(farthest * .pi / 180)
        let width = shrink > 0.01 ? degrees / shrink : 360
        longitudes = max(-180, place.longitude - width)...min(180, place.longitude + width)
    }
}
