/// A place on the earth in degrees (WGS 84). The earth is taken for a sphere, which is wrong by half a percent at most.
public struct GeoPoint: Hashable, Sendable {
    /// -90...90, north is positive.
    public let latitude: Double
    /// -180...180, east is positive.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// As the crow flies.
    public func metres(to other: GeoPoint) -> Double {
        UnitVector.metres(squaredChord: UnitVector(self).squaredChord(to: UnitVector(other)))
    }

    /// The middle of the place's cell, some hundred metres away at most: enough to show that somebody is near, not where.
    /// All places of a cell have the same one.
    public var coarse: GeoPoint {
        GeoPoint(latitude: (latitude * 200).rounded() / 200, longitude: (longitude * 200).rounded() / 200)
    }
}
