import Locks

/// A ``RateLimit`` for each of many keys, in this process alone.
public final class KeyedRateLimit: Sendable {
    private let state: Mutex<RateLimitState>
    private let start = ContinuousClock.now

    /// - Parameter maximumKeys: the most keys that are remembered at once; about 100 bytes each.
    public init(_ limit: RateLimit, maximumKeys: Int = 100_000) {
        state = Mutex(RateLimitState(limit, maximumKeys: maximumKeys))
    }

    /// Counts one event for the key.
    ///
    /// - Returns: nil within the limit, else the whole seconds until it is allowed again. Refused events are not
    ///   counted.
    public func take(_ key: String) -> Int? {
        let now = Double((ContinuousClock.now - start).nanoseconds) / 1e9
        switch state.withLock({ $0.take(key, now: now) }) {
        case .allowed: return nil
        case .refused(let seconds): return max(1, Int(seconds.rounded(.up)))
        }
    }
}
