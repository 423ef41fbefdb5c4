import Foundation

/// Until when a card is good: to the end of a month.
struct CardExpiry: Hashable, Sendable {
    /// 1...12
    let month: Int
    /// Four digits.
    let year: Int

    /// Nil when there is no such month. Two digits of a year are of this century.
    init?(month: Int, year: Int) {
        guard (1...12).contains(month), (0...99).contains(year) || (2000...2099).contains(year) else { return nil }
        self.month = month
        self.year = year < 100 ? 2000 + year : year
    }

    /// Nothing that was stored has it.
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

    /// Months since the year 0, so that they can be compared and counted.
    var monthNumber: Int { year * 12 + month - 1 }

    /// - Returns: the number of the month that it still is somewhere on Earth: cards of an earlier one are over.
    static func monthNumber(at now: Date) -> Int {
        let parts = calendar.dateComponents([.year, .month], from: now.addingTimeInterval(-12 * 3600))
        return (parts.year ?? 0) * 12 + (parts.month ?? 1) - 1
    }

    /// Whether the month is over everywhere on Earth, where days end up to twelve hours after UTC's.
    func isPast(at now: Date) -> Bool {
        Self.monthNumber(at: now) > monthNumber
    }
}
