import Foundation

/// Rules for removing unused accounts, which needs an admin's decision (I12). A login or a refresh is a use; only its
/// day is stored.
enum InactivityRule {
    /// An account without a use for this time is listed for the admins.
    static let months = 18
    /// The owner is warned this long before the account is listed.
    static let warningSeconds: Double = 31 * 86_400

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The start of the time without use that leads to a warning now: accounts last used before it are warned.
    static func lastUse(warnedAt now: Date) -> Date {
        let listed = now.addingTimeInterval(warningSeconds)
        // Every date has a date 18 months before it, so this never fails.
        return calendar.date(byAdding: .month, value: -months, to: listed) ?? .distantPast
    }
}

/// Why an account is listed for removal by an admin.
enum RemovalCause: String, Sendable { case inactive, relative }
