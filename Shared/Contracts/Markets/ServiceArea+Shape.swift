import Foundation

/// Validates the corners of an area.
extension ServiceArea {
    /// The smallest allowed surface in square kilometres: even a village has more.
    public static let leastSquareKilometres = 0.1
    /// The largest extent in degrees, to the north and to the east: the largest countries with one market have less.
    public static let largestSpan = 30.0
    /// Kilometres in a degree of latitude.
    private static let kilometresPerDegree = 111.2

    /// Whether the area is a simple polygon of allowed size: no corner occurs twice, edges meet only at shared corners,
    /// and it is neither a point nor a line nor larger than a market can be.
    public var isSimple: Bool {
        guard outline.count >= 3, Set(outline).count == outline.count else { return false }
        let (latitudes, longitudes) = (outline.map(\.latitude), outline.map(\.longitude))
        guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
            let east = longitudes.max(), north - south <= Self.largestSpan, east - west <= Self.largestSpan
        else { return false }
        let perDegree = Self.kilometresPerDegree
        let width = perDegree * cos((south + north) / 2 * .pi / 180)
        guard abs(squareDegrees) * perDegree * width >= Self.leastSquareKilometres else { return false }
        return !crossesItself
    }

    private var squareDegrees: Double {
        var (sum, previous) = (0.0, outline[outline.count - 1])
        for corner in outline {
            sum += previous.longitude * corner.latitude - corner.longitude * previous.latitude
            previous = corner
        }
        return sum / 2
    }

    private var crossesItself: Bool {
        let count = outline.count
        for first in 0..<count {
            let (a, b) = (outline[first], outline[(first + 1) % count])
            for second in (first + 1)..<count {
                let (c, d) = (outline[second], outline[(second + 1) % count])
                if second == first + 1 {
                    if Self.foldsBack(a, b, d) { return true }
                } else if (second + 1) % count == first {
                    if Self.foldsBack(c, a, b) { return true }
                } else if Self.meet(a, b, c, d) {
                    return true
                }
            }
        }
        return false
    }

    /// Twice the signed surface of a triangle: the sign shows on which side of the line the third corner is.
    private static func side(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Double {
        let cross =
            (b.longitude - a.longitude) * (c.latitude - a.latitude)
            - (b.latitude - a.latitude) * (c.longitude - a.longitude)
        return abs(cross) < 1e-12 ? 0 : cross
    }

    /// Whether the edge after a shared corner lies on the edge before it.
    private static func foldsBack(_ from: Coordinate, _ corner: Coordinate, _ to: Coordinate) -> Bool {
        guard side(from, corner, to) == 0 else { return false }
        let along =
            (from.longitude - corner.longitude) * (to.longitude - corner.longitude)
            + (from.latitude - corner.latitude) * (to.latitude - corner.latitude)
        return along > 0
    }

    private static func meet(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool {
        let sides = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b))
        if sides.0 * sides.1 < 0, sides.2 * sides.3 < 0 { return true }
        return sides.0 == 0 && isWithin(c, a, b) || sides.1 == 0 && isWithin(d, a, b)
            || sides.2 == 0 && isWithin(a, c, d) || sides.3 == 0 && isWithin(b, c, d)
    }

    private static func isWithin(_ place: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Bool {
        (min(a.latitude, b.latitude)...max(a.latitude, b.latitude)).contains(place.latitude)
            && (min(a.longitude, b.longitude)...max(a.longitude, b.longitude)).contains(place.longitude)
    }
}
