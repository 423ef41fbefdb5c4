import Foundation
import Matching

/// All places within some metres of one lie in it, and some beyond: what an index of degrees can be asked.
struct DegreeBox: Sendable {
    let latitudes: ClosedRange<Double>
    let longitudes: ClosedRange<Double>

    /// Of a place nearer to a pole than the metres, all longitudes.
    init(around place: GeoPoint, metres: Double) {
        // A little more than needed, so that rounding leaves nobody out.
        let degrees = metres / 111_000 * 1.01
        latitudes = max(-90, place.latitude - degrees)...min(90, place.latitude + degrees)
        let farthest = max(abs(latitudes.lowerBound), abs(latitudes.upperBound))
        let shrink = cos(farthest * .pi / 180)
        let width = shrink > 0.01 ? degrees / shrink : 360
        longitudes = max(-180, place.longitude - width)...min(180, place.longitude + width)
    }
}
