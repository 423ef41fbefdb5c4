/// The cost of sending a provider to an order, in seconds on the way and their equivalents.
public struct RoundCost: Hashable, Sendable {
    /// To the order.
    public let travelSeconds: Int
    /// The bonus for the provider's waiting; 0 or less.
    public let fairnessSeconds: Int
    /// The cost of missing stars; 0 or more.
    public let ratingSeconds: Int

    public var total: Int { travelSeconds + fairnessSeconds + ratingSeconds }

    init(travelSeconds: Int, _ provider: RoundProvider, now: Int, _ settings: RoundSettings) {
        self.travelSeconds = travelSeconds
        let waited = max(0, now - provider.waitingSince)
        fairnessSeconds = -min(settings.fairnessMostSeconds, waited * settings.fairnessSecondsPerMinute / 60)
        let missing = max(0, 500 - (provider.rating ?? settings.unratedAs))
        ratingSeconds = missing * settings.ratingSecondsPerStar / 100
    }
}
