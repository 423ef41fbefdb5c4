/// A place on the earth, in degrees.
public struct GeographicPlace: Hashable, Sendable {
    /// From -90 in the south to 90 in the north.
    public let latitude: Double
    /// From -180 in the west to 180 in the east.
    public let longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The middle of the Kaaba.
    public static let kaaba = GeographicPlace(latitude: 21.4225, longitude: 39.8262)

    /// The direction of prayer: the first bearing of the great circle to the Kaaba, in degrees clockwise from true
    /// north (not from where a compass points), from 0 to below 360. Meeus calls it a position angle (chapter 17).
    public var qibla: Double {
        let turn = Self.kaaba.longitude - longitude
        return Angle.positive(
            Angle.arcTangent(
                Angle.sine(turn),
                Angle.cosine(latitude) * Angle.tangent(Self.kaaba.latitude) - Angle.sine(latitude) * Angle.cosine(turn))
        )
    }
}
