/// The minimum speed at which a client has to send a request (RFC 9110 leaves this to the server).
public struct PaceLimits: Sendable, Hashable {
    /// From a head's first byte to its last.
    public var head: Duration = .seconds(10)
    /// The time that every body has, whatever its length.
    public var body: Duration = .seconds(10)
    /// A body has one more second for each of this many received bytes. A phone on 2G is several times as fast.
    public var bytesPerSecond = 1_024
    /// The limit for any body.
    public var longestBody: Duration = .seconds(300)

    public init() {}
}

/// Measures how long the request of one connection has been arriving. Pure: times are parameters.
///
/// Only the time in which the server wanted to read counts: a client cannot send while its buffer is full because of a
/// slow handler.
struct RequestPace: Sendable {
    typealias Instant = ContinuousClock.Instant

    private enum Phase {
        /// Between two requests, or during an answer; idle connections have another limit.
        case none
        case head(since: Instant)
        case body(receivedBytes: Int, waited: Duration)
    }

    private let limits: PaceLimits
    private var phase = Phase.none
    /// Since when the server has been waiting for bytes.
    private var wantingSince: Instant?

    init(_ limits: PaceLimits) {
        self.limits = limits
    }

    /// Bytes have come; the calls that follow say which.
    mutating func received(at now: Instant) {
        pause(at: now)
        if case .none = phase { phase = .head(since: now) }
    }

    mutating func readHead() { phase = .body(receivedBytes: 0, waited: .zero) }

    mutating func readBody(bytes: Int) {
        guard case .body(let received, let waited) = phase else { return }
        phase = .body(receivedBytes: received + bytes, waited: waited)
    }

    mutating func readEnd() { phase = .none }

    /// The server wants more.
    mutating func wants(at now: Instant) {
        if wantingSince == nil { wantingSince = now }
    }

    private mutating func pause(at now: Instant) {
        guard let since = wantingSince else { return }
        wantingSince = nil
        guard case .body(let received, let waited) = phase else { return }
        phase = .body(receivedBytes: received, waited: waited + (now - since))
    }

    /// Whether a request has begun and not ended.
    var isUnderWay: Bool {
        if case .none = phase { false } else { true }
    }

    func isTooSlow(at now: Instant) -> Bool {
        switch phase {
        case .none: return false
        case .head(let since): return now - since > limits.head
        case .body(let received, let waited):
            let total = waited + (wantingSince.map { now - $0 } ?? .zero)
            let allowed = limits.body + .seconds(received / limits.bytesPerSecond)
            return total > min(allowed, limits.longestBody)
        }
    }
}

/// The client sends its request too slowly. See ``PaceLimits``.
struct SlowRequest: Error {}
