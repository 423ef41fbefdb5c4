/// A limit of events: `perSecond` in the long run, `burst` at once.
public struct RateLimit: Sendable, Equatable {
    public let perSecond: Double
    public let burst: Int

    /// - Parameters:
    ///   - perSecond: above 0.
    ///   - burst: at least 1.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 1e-6)
        self.burst = max(burst, 1)
    }
}

/// A token bucket for each key, without a clock or a lock.
///
/// A bucket is one number, the theoretical arrival time of the generic cell rate algorithm (ITU-T I.371): the time at
/// which the bucket is full again. Memory is bounded by two generations of keys: when the young one is full it becomes
/// the old one, and the previous old one is dropped. A key that is dropped early by a flood of others gets a full
/// bucket.
struct RateLimitState {
    enum Decision: Equatable {
        case allowed
        case refused(retryAfterSeconds: Double)
    }

    private let interval: Double
    private let tolerance: Double
    private let keysPerGeneration: Int
    private var young: [String: Double] = [:]
    private var old: [String: Double] = [:]

    init(_ limit: RateLimit, maximumKeys: Int) {
        interval = 1 / limit.perSecond
        tolerance = interval * Double(limit.burst - 1)
        keysPerGeneration = max(1, maximumKeys / 2)
    }

    var keyCount: Int { young.count + old.count }

    /// - Parameter now: seconds on any clock that does not go back.
    mutating func take(_ key: String, now: Double) -> Decision {
        let arrival = max(young[key] ?? old[key] ?? now, now)
        let early = arrival - now - tolerance
        // Rounding must not refuse an event that is exactly due.
        guard early <= 1e-9 else { return .refused(retryAfterSeconds: early) }
        if young[key] == nil, young.count >= keysPerGeneration {
            old = young
            young = [:]
        }
        old[key] = nil
        young[key] = arrival + interval
        return .allowed
    }
}
