import Foundation

/// Slows down password guessing (I4): some failures are free, then each doubles the wait, then the login is locked for
/// a while. Failures are counted for one account or one address.
struct LoginThrottle: Sendable {
    struct Failures: Hashable, Sendable {
        var count: Int
        var lastAt: Date
        var blockedUntil: Date?
    }

    enum Outcome: Equatable, Sendable {
        case allowed(Failures)
        case refused(retryAfterSeconds: Int)
    }

    let freeFailures: Int
    let longestDelaySeconds: Double
    let failuresToLock: Int
    let lockSeconds: Double
    /// Each failure after the lock doubles its length up to this; nil for a lock of constant length.
    var longestLockSeconds: Double?
    /// All failures are forgotten after this time without one. It is not shorter than the lock, so the end of a lock is
    /// a new start.
    let forgetSeconds: Double

    static let account = LoginThrottle(
        freeFailures: 3, longestDelaySeconds: 60, failuresToLock: 10, lockSeconds: 900, forgetSeconds: 900)
    /// For codes of a second factor, whose callers know the password: 16 tries in the first day, and two in each
    /// following day.
    static let secondFactor = LoginThrottle(
        freeFailures: 3, longestDelaySeconds: 60, failuresToLock: 10, lockSeconds: 900, longestLockSeconds: 43_200,
        forgetSeconds: 86_400)
    /// For addresses: whole offices and mobile networks share one.
    static let address = LoginThrottle(
        freeFailures: 50, longestDelaySeconds: 10, failuresToLock: 200, lockSeconds: 900, forgetSeconds: 900)

    /// Counts an attempt as a failure before the password is compared; a right password clears the count. A hundred
    /// attempts at once therefore have no advantage over a series.
    func attempt(_ failures: Failures?, at now: Date) -> Outcome {
        if let seconds = wait(failures, at: now) { return .refused(retryAfterSeconds: seconds) }
        return .allowed(failed(failures, at: now))
    }

    /// Takes back an attempt whose password was not compared.
    ///
    /// - Parameters:
    ///   - attempt: the failures after the attempt.
    ///   - previous: the failures before the attempt.
    ///   - current: the failures now; other attempts may have failed since.
    func forgive(_ attempt: Failures, previous: Failures, current: Failures) -> Failures {
        let isLast = current.count == attempt.count && Self.isSame(current.lastAt, attempt.lastAt)
        guard !isLast else { return previous }
        var next = current
        next.count = max(0, next.count - 1)
        // The wait belongs to this attempt if no other attempt has failed since.
        if let mine = attempt.blockedUntil, let theirs = current.blockedUntil, Self.isSame(mine, theirs) {
            next.blockedUntil = previous.blockedUntil
        }
        return next
    }

    /// Stored times are rounded to microseconds.
    private static func isSame(_ left: Date, _ right: Date) -> Bool { abs(left.timeIntervalSince(right)) < 0.000_01 }

    /// The seconds to wait; nil for none.
    func wait(_ failures: Failures?, at now: Date) -> Int? {
        guard let end = failures?.blockedUntil, end > now else { return nil }
        // The subtraction keeps the rounding of stored times from adding a second.
        return max(1, Int((end.timeIntervalSince(now) - 0.001).rounded(.up)))
    }

    /// The failures with one more.
    func failed(_ failures: Failures?, at now: Date) -> Failures {
        var next = Failures(count: 1, lastAt: now, blockedUntil: nil)
        if let failures, now.timeIntervalSince(failures.lastAt) < forgetSeconds { next.count += failures.count }
        if next.count >= failuresToLock {
            let doubled = lockSeconds * Self.doubled(next.count - failuresToLock)
            next.blockedUntil = now.addingTimeInterval(min(doubled, longestLockSeconds ?? lockSeconds))
        } else if next.count > freeFailures {
            let delay = Self.doubled(next.count - freeFailures - 1)
            next.blockedUntil = now.addingTimeInterval(min(delay, longestDelaySeconds))
        }
        return next
    }

    private static func doubled(_ times: Int) -> Double { Double(1 << min(times, 30)) }
}
