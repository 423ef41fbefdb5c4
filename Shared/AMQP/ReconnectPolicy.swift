/// How long to wait before the next attempt to connect: exponential, capped, with full jitter, so that the clients of
/// a broker that comes back do not all come at once.
public struct ReconnectPolicy: Sendable {
    /// The upper bound of the first wait.
    public var base: Duration
    /// The upper bound of every wait.
    public var cap: Duration
    /// A connection that lasted this long starts the waits over.
    public var stableAfter: Duration

    private var failures = 0

    public init(
        base: Duration = .milliseconds(100), cap: Duration = .seconds(10), stableAfter: Duration = .seconds(30)
    ) {
        self.base = base
        self.cap = cap
        self.stableAfter = stableAfter
    }

    /// The wait after a failed attempt or a lost connection.
    /// - Parameter lasted: how long the connection had lived; nil if there was none.
    mutating func nextDelay(
        afterConnectionOf lasted: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if let lasted, lasted >= stableAfter { failures = 0 }
        // Beyond 2^20 the cap has long been reached.
        let bound = min(cap, base * (1 << min(failures, 20)))
        failures += 1
        return bound * Double.random(in: 0...1, using: &generator)
    }
}
