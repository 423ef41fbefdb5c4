public import Foundation
import Locks

/// A time that stands still until the test advances it, for code that takes "now" as an argument or a closure. Nothing
/// sleeps on it and nobody is woken by it. Safe from any thread.
public final class FixedClock: Sendable {
    private let start: Date
    private let startInstant = ContinuousClock.now
    private let elapsed = Mutex(Duration.zero)

    /// - Parameter start: the first time; by default 2026-01-01 00:00:00 UTC.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        self.start = start
    }

    /// The wall clock's time.
    public var now: Date {
        let (seconds, attoseconds) = elapsed.withLock { $0 }.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// The monotonic clock's time; it advances by the same steps.
    public var instant: ContinuousClock.Instant {
        startInstant + elapsed.withLock { $0 }
    }

    /// Moves both times on; a negative step moves them back.
    public func advance(by step: Duration) {
        elapsed.withLock { $0 += step }
    }
}
