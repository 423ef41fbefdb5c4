/// The area that a market serves: a polygon in degrees. Edges are straight lines on a map of latitudes and longitudes,
/// as an admin draws them. Areas across the 180th meridian or a pole are not supported.
public struct ServiceArea: Sendable {
    /// In order, not closed.
    public let corners: [Coordinate]

    public init(corners: [Coordinate]) { self.corners = corners }

    /// Whether the place is inside. Corners and edges belong to the area.
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard corners.count >= 3, var previous = corners.last else { return false }
        var isInside = false
        for corner in corners {
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
