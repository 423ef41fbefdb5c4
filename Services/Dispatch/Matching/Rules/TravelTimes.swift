import Matching

/// Distance and duration of a way.
struct TravelEstimate: Hashable, Sendable {
    let metres: Int
    let seconds: Int

    /// The estimate rounded to half kilometres and minutes, at least one of each, for a provider whose exact place must
    /// stay unknown.
    var rounded: TravelEstimate {
        TravelEstimate(metres: Self.rounded(metres, to: 500), seconds: Self.rounded(seconds, to: 60))
    }

    private static func rounded(_ number: Int, to unit: Int) -> Int {
        max(1, Int((Double(number) / Double(unit)).rounded())) * unit
    }
}

/// Estimates the ways of providers to a place.
protocol TravelTimes: Sendable {
    /// Returns one estimate per origin, in the same sequence.
    /// - Parameter metresPerMinute: the market's speed, used if nothing better is known.
    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) async throws -> [TravelEstimate]
}
