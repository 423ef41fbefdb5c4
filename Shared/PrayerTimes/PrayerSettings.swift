public import Foundation

/// Where and how prayer times are computed.
public struct PrayerSettings: Sendable, Hashable {
    public var place: GeographicPlace
    /// Says which moments are on which day.
    public var timeZone: TimeZone
    public var method: CalculationMethod
    public var madhab: Madhab
    public var highLatitude: HighLatitudeRule

    public init(
        place: GeographicPlace, timeZone: TimeZone, method: CalculationMethod = .ummAlQura, madhab: Madhab = .shafi,
        highLatitude: HighLatitudeRule = .middleOfTheNight
    ) {
        self.place = place
        self.timeZone = timeZone
        self.method = method
        self.madhab = madhab
        self.highLatitude = highLatitude
    }
}
