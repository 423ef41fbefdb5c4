/// How far it is and how long it takes.
struct TravelEstimate: Hashable, Sendable {
    let metres: Int
    let seconds: Int
}

/// Estimates ways of providers to a customer.
protocol TravelTimes: Sendable {
    /// One estimate for each origin, in their order.
    /// - Parameter metresPerMinute: the market's speed, where nothing better is known.
    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) async throws -> [TravelEstimate]
}
