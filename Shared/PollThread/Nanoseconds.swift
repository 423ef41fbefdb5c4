import Glibc

/// Times of `ContinuousClock` as plain numbers.
enum Nanoseconds {
    static let never = Int64.max

    /// The clock that `ContinuousClock` uses on Linux.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func at(_ instant: ContinuousClock.Instant?) -> Int64 {
        guard let instant else { return never }
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: instant).components
        // A century is treated as never.
        let ahead = max(-3_200_000_000, min(seconds, 3_200_000_000)) * 1_000_000_000
        return now + ahead + attoseconds / 1_000_000_000
    }

    /// Rounded up: waking before the deadline would be a busy loop.
    static func milliseconds(until deadline: Int64) -> Int32 {
        let left = deadline - now
        return left < 0 ? 0 : Int32(clamping: min(left / 1_000_000, 1_000_000_000) + 1)
    }
}
