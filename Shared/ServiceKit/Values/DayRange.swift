public import Foundation

/// A range of whole days in a market's zone, including the first and the last.
public struct DayRange: Hashable, Sendable {
    public enum Fault: Error, Hashable {
        /// `from` or `to` is not a day such as 2026-03-01.
        case notADay(field: String)
        case endsBeforeItBegins
        case tooLong(maximumDays: Int)
        /// The zone's name is unknown.
        case unknownZone
    }

    public static let maximumDays = 366
    public static let defaultDays = 30

    /// The days such as `2026-03-01`, in order, without gaps.
    public let days: [String]
    public let start: Date
    /// The end of the range, exclusive.
    public let end: Date
    /// The zone's IANA name.
    public let timeZone: String

    /// - Parameters:
    ///   - from: nil for 29 days before `to`.
    ///   - to: nil for today.
    public init(from: String?, to: String?, timeZone: String, now: Date) throws(Fault) {
        guard let zone = TimeZone(identifier: timeZone) else { throw .unknownZone }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let last: Date
        if let to {
            guard let day = Self.day(to, calendar) else { throw .notADay(field: "to") }
            last = day
        } else {
            last = calendar.startOfDay(for: now)
        }
        let first: Date
        if let from {
            guard let day = Self.day(from, calendar) else { throw .notADay(field: "from") }
            first = day
        } else {
            first = Self.adding(1 - Self.defaultDays, to: last, calendar)
        }
        guard first <= last else { throw .endsBeforeItBegins }
        var days: [String] = []
        var next = first
        while next <= last {
            guard days.count < Self.maximumDays else { throw .tooLong(maximumDays: Self.maximumDays) }
            days.append(Self.text(next, calendar))
            next = Self.adding(1, to: next, calendar)
        }
        self.days = days
        self.start = first
        self.end = next
        self.timeZone = timeZone
    }

    private static func day(_ text: String, _ calendar: Calendar) -> Date? {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3), (2000...2999).contains(year),
            let date = calendar.date(from: DateComponents(year: year, month: month, day: day))
        else { return nil }
        // The calendar turns 30 February into a day of March; a day that comes back different does not exist.
        let start = calendar.startOfDay(for: date)
        return self.text(start, calendar) == text ? start : nil
    }

    private static func adding(_ days: Int, to date: Date, _ calendar: Calendar) -> Date {
        let next =
            calendar.date(byAdding: .day, value: days, to: date) ?? date.addingTimeInterval(Double(days) * 86_400)
        return calendar.startOfDay(for: next)
    }

    private static func text(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }
}
