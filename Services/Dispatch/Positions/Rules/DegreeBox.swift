import Foundation
import Matching

/// Box of degrees that contains all places within some metres of a place, and some beyond; usable with an index on
/// degrees.
struct DegreeBox: Sendable {
    let latitudes: ClosedRange<Double>
    let longitudes: ClosedRange<Double>
    /// The part of the box on the other side of ±180°; the same as ``longitudes`` where there is none.
    let otherLongitudes: ClosedRange<Double>

    /// Contains all longitudes if the place is near a pole.
    init(around place: GeoPoint, metres: Double) {
        // One percent more than needed, so that rounding excludes nobody.
        let degrees = metres / 111_000 * 1.01
        latitudes = max(-90, place.latitude - degrees)...min(90, place.latitude + degrees)
        let farthest = max(abs(latitudes.lowerBound), abs(latitudes.upperBound))
        let shrink = cos(farthest * .pi / 180)
        let width = shrink > 0.01 ? degrees / shrink : 360
        let (west, east) = (place.longitude - width, place.longitude + width)
        longitudes = max(-180, west)...min(180, east)
        if width >= 180 {
            otherLongitudes = -180...180
        } else if west < -180 {
            otherLongitudes = west + 360...180
        } else if east > 180 {
            otherLongitudes = -180...east - 360
        } else {
            otherLongitudes = longitudes
        }
    }
}
