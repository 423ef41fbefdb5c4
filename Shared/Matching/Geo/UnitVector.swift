import Foundation

/// A place as a point on the unit sphere. Chords order places as great circles do and cost three multiplications,
/// without special cases at the antimeridian and the poles.
public struct UnitVector: Hashable, Sendable {
    /// The earth's mean radius (IUGG).
    public static let earthRadiusMetres = 6_371_008.8

    public let x: Double
    public let y: Double
    public let z: Double

    public init(_ point: GeoPoint) {
        let latitude = point.latitude * .pi / 180
        let longitude = point.longitude * .pi / 180
        x = cos(latitude) * cos(longitude)
        y = cos(latitude) * sin(longitude)
        z = sin(latitude)
    }

    /// The square of the straight line between two places, through the earth; at most 4.
    public func squaredChord(to other: UnitVector) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return dx * dx + dy * dy + dz * dz
    }

    /// The length on the earth's surface for a chord.
    public static func metres(squaredChord: Double) -> Double {
        2 * earthRadiusMetres * asin(min(1, squaredChord.squareRoot() / 2))
    }

    /// The squared chord for a length on the earth's surface; at most that of the antipodes.
    public static func squaredChord(metres: Double) -> Double {
        let half = min(max(0, metres) / earthRadiusMetres, .pi) / 2
        return 4 * sin(half) * sin(half)
    }
}
