import Foundation

/// Slows down those who guess passwords (I4): a few failures are free, then each doubles the wait, then the login is
/// locked for a while. What is counted is one account, or one address.
///
/// An attempt is counted as a failure before the password is looked at and taken back when it was right. So a hundred
/// attempts at once are no better than one after the other.
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
    /// After so long without a failure all is forgotten. Not less than the lock, so that its end is a new start.
    let forgetSeconds: Double

    static let account = LoginThrottle(
        freeFailures: 3, longestDelaySeconds: 60, failuresToLock: 10, lockSeconds: 900, forgetSeconds: 900)
    /// Whole offices and mobile networks share an address.
    static let address = LoginThrottle(
        freeFailures: 50, longestDelaySeconds: 10, failuresToLock: 200, lockSeconds: 900, forgetSeconds: 900)

    func attempt(_ failures: Failures?, at now: Date) -> Outcome {
        var next = Failures(count: 0, lastAt: now, blockedUntil: nil)
        if let failures {
            if let end = failures.blockedUntil, end > now {
                return .refused(retryAfterSeconds: max(1, Int(end.timeIntervalSince(now).rounded(.up))))
            }
            if now.timeIntervalSince(failures.lastAt) < forgetSeconds { next.count = failures.count }
        }
        next.count += 1
        if next.count >= failuresToLock {
            next.blockedUntil = now.addingTimeInterval(lockSeconds)
        } else if next.count > freeFailures {
            let doublings = min(next.count - freeFailures - 1, 30)
            next.blockedUntil = now.addingTimeInterval(min(Double(1 << doublings), longestDelaySeconds))
        }
        return .allowed(next)
    }
}
