/// A place on the earth in degrees (WGS 84). The earth is treated as a sphere, with an error of at most half a percent.
public struct GeoPoint: Hashable, Sendable {
    /// -90...90, north is positive.
    public let latitude: Double
    /// -180...180, east is positive.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The great-circle distance.
    public func metres(to other: GeoPoint) -> Double {
        UnitVector.metres(squaredChord: UnitVector(self).squaredChord(to: UnitVector(other)))
    }

    /// The centre of the place's cell, at most some hundred metres away: it shows that a provider is near, but not
    /// where. All places of a cell have the same centre.
    public var coarse: GeoPoint {
        GeoPoint(latitude: (latitude * 200).rounded() / 200, longitude: (longitude * 200).rounded() / 200)
    }
}
