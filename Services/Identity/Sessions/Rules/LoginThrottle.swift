import Foundation

/// Slows down those who guess passwords (I4): a few failures are free, then each doubles the wait, then the login is
/// locked for a while. What is counted is one account, or one address.
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
    /// Each failure after the one that locked doubles the lock up to this; nil where it stays as long as it is.
    var longestLockSeconds: Double?
    /// After so long without a failure all is forgotten. Not less than the lock, so that its end is a new start.
    let forgetSeconds: Double

    static let account = LoginThrottle(
        freeFailures: 3, longestDelaySeconds: 60, failuresToLock: 10, lockSeconds: 900, forgetSeconds: 900)
    /// Who tries codes of a second factor knows the password already: 16 in the first day, and two in each that follows.
    static let secondFactor = LoginThrottle(
        freeFailures: 3, longestDelaySeconds: 60, failuresToLock: 10, lockSeconds: 900, longestLockSeconds: 43_200,
        forgetSeconds: 86_400)
    /// Whole offices and mobile networks share an address.
    static let address = LoginThrottle(
        freeFailures: 50, longestDelaySeconds: 10, failuresToLock: 200, lockSeconds: 900, forgetSeconds: 900)

    /// An account's attempt is counted as a failure before the password is looked at, and forgotten when it was right.
    /// So a hundred attempts at once are no better than one after the other.
    func attempt(_ failures: Failures?, at now: Date) -> Outcome {
        if let seconds = wait(failures, at: now) { return .refused(retryAfterSeconds: seconds) }
        return .allowed(failed(failures, at: now))
    }

    /// Takes back an attempt whose password was never looked at.
    ///
    /// - Parameters:
    ///   - attempt: what it left behind.
    ///   - previous: what it found.
    ///   - current: what is there now; others may have failed since.
    func forgive(_ attempt: Failures, previous: Failures, current: Failures) -> Failures {
        let isLast = current.count == attempt.count && Self.isSame(current.lastAt, attempt.lastAt)
        guard !isLast else { return previous }
        var next = current
        next.count = max(0, next.count - 1)
        // The wait is this attempt's own as long as nobody else has failed since.
        if let mine = attempt.blockedUntil, let theirs = current.blockedUntil, Self.isSame(mine, theirs) {
            next.blockedUntil = previous.blockedUntil
        }
        return next
    }

    /// Stored times are rounded to microseconds.
    private static func isSame(_ left: Date, _ right: Date) -> Bool { abs(left.timeIntervalSince(right)) < 0.000_01 }

    /// For how many seconds to wait, if at all.
    func wait(_ failures: Failures?, at now: Date) -> Int? {
        guard let end = failures?.blockedUntil, end > now else { return nil }
        // Stored times are rounded to microseconds, which must not make a second of it.
        return max(1, Int((end.timeIntervalSince(now) - 0.001).rounded(.up)))
    }

    /// One failure more.
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
