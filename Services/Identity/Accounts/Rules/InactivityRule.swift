import Foundation

/// Accounts that nobody uses are removed, with an admin's word (I12). A log-in or a refresh is a use; of it the day is
/// kept.
enum InactivityRule {
    /// After so long an account is listed for the admins.
    static let months = 18
    /// So long before, its owner is warned.
    static let warningSeconds: Double = 31 * 86_400

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Who was last active before this is warned now.
    static func lastUse(warnedAt now: Date) -> Date {
        let listed = now.addingTimeInterval(warningSeconds)
        // Every date has one so many months before it.
        return calendar.date(byAdding: .month, value: -months, to: listed) ?? .distantPast
    }
}

/// Somebody who is to be removed, if an admin says so.
enum RemovalCause: String, Sendable { case inactive, relative }
