/// A place on the globe in degrees (WGS 84).
public struct Coordinate: Codable, Hashable, Sendable {
    /// -90...90, north is positive.
    public var latitude: Double
    /// -180...180, east is positive.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
