import Matching

/// How far it is and how long it takes.
struct TravelEstimate: Hashable, Sendable {
    let metres: Int
    let seconds: Int

    /// As much of it as is known of somebody whose place is coarse: to the next half kilometre and minute, and never
    /// nothing.
    var rounded: TravelEstimate {
        TravelEstimate(metres: Self.rounded(metres, to: 500), seconds: Self.rounded(seconds, to: 60))
    }

    private static func rounded(_ number: Int, to unit: Int) -> Int {
        max(1, Int((Double(number) / Double(unit)).rounded())) * unit
    }
}

/// Estimates ways of providers to a customer.
protocol TravelTimes: Sendable {
    /// One estimate for each origin, in their order.
    /// - Parameter metresPerMinute: the market's speed, where nothing better is known.
    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) async throws -> [TravelEstimate]
}
