/// The pause before the next try to connect: exponential, capped, with full jitter, so that the clients of a restarted
/// broker do not all connect at once.
public struct ReconnectPolicy: Sendable {
    /// The upper bound of the first pause.
    public var base: Duration
    /// The upper bound of every pause.
    public var cap: Duration
    /// After a connection of this length the pauses begin again.
    public var stableAfter: Duration

    private var failures = 0

    public init(
        base: Duration = .milliseconds(100), cap: Duration = .seconds(10), stableAfter: Duration = .seconds(30)
    ) {
        self.base = base
        self.cap = cap
        self.stableAfter = stableAfter
    }

    /// The pause after a failed try or a lost connection.
    /// - Parameter lasted: the length of the connection; nil if there was none.
    mutating func nextDelay(
        afterConnectionOf lasted: Duration? = nil, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if let lasted, lasted >= stableAfter { failures = 0 }
        // Before 2^20 the cap is reached.
        let bound = min(cap, base * (1 << min(failures, 20)))
        failures += 1
        return bound * Double.random(in: 0...1, using: &generator)
    }
}
