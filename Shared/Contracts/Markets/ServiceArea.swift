/// The area that a market serves: a polygon in degrees. Edges are straight lines on a map of latitudes and longitudes,
/// as an admin draws them. An area whose corners are more than 180° apart lies across the 180th meridian, as Fiji's does.
/// Areas across a pole are not supported.
public struct ServiceArea: Sendable {
    /// In order, not closed.
    public let corners: [Coordinate]
    /// The corners in one piece: across the 180th meridian the western longitudes go on beyond 180°.
    let outline: [Coordinate]
    /// Whether the area lies across the 180th meridian.
    let isAcrossDateLine: Bool

    public init(corners: [Coordinate]) {
        self.corners = corners
        let longitudes = corners.map(\.longitude)
        let isAcross = (longitudes.max() ?? 0) - (longitudes.min() ?? 0) > 180
        isAcrossDateLine = isAcross
        outline = corners.map {
            Coordinate(latitude: $0.latitude, longitude: Self.continued($0.longitude, isAcross))
        }
    }

    private static func continued(_ longitude: Double, _ isAcross: Bool) -> Double {
        isAcross && longitude < 0 ? longitude + 360 : longitude
    }

    /// The smallest box around the area in degrees. Its west is greater than its east for an area across the 180th
    /// meridian.
    public var bounds: (south: Double, west: Double, north: Double, east: Double) {
        let (latitudes, longitudes) = (outline.map(\.latitude), outline.map(\.longitude))
        let east = longitudes.max() ?? 180
        return (
            latitudes.min() ?? -90, longitudes.min() ?? -180, latitudes.max() ?? 90, east > 180 ? east - 360 : east
        )
    }

    /// Whether the place is inside. Corners and edges belong to the area.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard outline.count >= 3, var previous = outline.last else { return false }
        let longitude = Self.continued(longitude, isAcrossDateLine)
        var isInside = false
        for corner in outline {
            if Self.isOnEdge(latitude, longitude, previous, corner) { return true }
            // A ray to the east crosses this edge: from the inside the number of crossings is odd.
            if (corner.latitude > latitude) != (previous.latitude > latitude) {
                let share = (latitude - corner.latitude) / (previous.latitude - corner.latitude)
                if longitude < corner.longitude + share * (previous.longitude - corner.longitude) { isInside.toggle() }
            }
            previous = corner
        }
        return isInside
    }

    private static func isOnEdge(_ latitude: Double, _ longitude: Double, _ from: Coordinate, _ to: Coordinate) -> Bool
    {
        let cross =
            (longitude - from.longitude) * (to.latitude - from.latitude)
            - (latitude - from.latitude) * (to.longitude - from.longitude)
        guard abs(cross) < 1e-12 else { return false }
        return (min(from.latitude, to.latitude)...max(from.latitude, to.latitude)).contains(latitude)
            && (min(from.longitude, to.longitude)...max(from.longitude, to.longitude)).contains(longitude)
    }
}
