/// How fast a client has to send a request (RFC 9110 leaves this to the server).
public struct PaceLimits: Sendable, Hashable {
    /// From a head's first byte to its last.
    public var head: Duration = .seconds(10)
    /// What every body may take, whatever its length.
    public var body: Duration = .seconds(10)
    /// A body has a second more for each so many bytes that have come. A phone on 2G is some times as fast.
    public var bytesPerSecond = 1_024
    /// What no body may take.
    public var longestBody: Duration = .seconds(300)

    public init() {}
}

/// How long the request of one connection has been on its way. Pure: times are given.
///
/// Only the time in which the server wanted to read counts: a client cannot send while its buffer is full because a
/// handler is slow.
struct RequestPace: Sendable {
    typealias Instant = ContinuousClock.Instant

    private enum Phase {
        /// Between two requests, or while one is answered; the limit of idle connections is another's.
        case none
        case head(since: Instant)
        case body(receivedBytes: Int, waited: Duration)
    }

    private let limits: PaceLimits
    private var phase = Phase.none
    /// Since when the server has wanted bytes that have not come.
    private var wantingSince: Instant?

    init(_ limits: PaceLimits) {
        self.limits = limits
    }

    /// Bytes have come; what they were is said by the calls that follow.
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
