import Foundation

/// The last month in which a card is valid.
struct CardExpiry: Hashable, Sendable {
    /// 1...12
    let month: Int
    /// Four digits.
    let year: Int

    /// Returns nil for an invalid month or year. A two-digit year belongs to this century.
    init?(month: Int, year: Int) {
        guard (1...12).contains(month), (0...99).contains(year) || (2000...2099).contains(year) else { return nil }
        self.month = month
        self.year = year < 100 ? 2000 + year : year
    }

    /// A placeholder for an unreadable stored expiry; never stored.
    static let unknown = CardExpiry()

    private init() {
        month = 1
        year = 2000
    }

    static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// Months since year 0, for comparing and counting.
    var monthNumber: Int { year * 12 + month - 1 }

    /// - Returns: the earliest month that is still current somewhere on Earth; cards of earlier months have expired.
    static func monthNumber(at now: Date) -> Int {
        let parts = calendar.dateComponents([.year, .month], from: now.addingTimeInterval(-12 * 3600))
        return (parts.year ?? 0) * 12 + (parts.month ?? 1) - 1
    }

    /// Whether the month is over everywhere on Earth; the last time zone is twelve hours behind UTC.
    func isPast(at now: Date) -> Bool {
        Self.monthNumber(at: now) > monthNumber
    }
}
