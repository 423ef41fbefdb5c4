import Matching

/// Travel times without a routing engine: the great-circle distance × 1.3 at the market's speed. The returned distance
/// is the great circle itself.
struct GreatCircleTimes: TravelTimes {
    static let detour = 1.3

    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) async throws -> [TravelEstimate] {
        origins.map { Self.estimate(metres: $0.metres(to: destination), metresPerMinute: metresPerMinute) }
    }

    static func estimate(metres: Double, metresPerMinute: Int) -> TravelEstimate {
        let seconds = metres * detour / Double(max(1, metresPerMinute)) * 60
        return TravelEstimate(metres: Int(metres.rounded()), seconds: Int(seconds.rounded()))
    }
}
