import Foundation

/// A time in UTC with milliseconds, printed without Foundation's formatters, which are slow and need locks.
struct LogTime: Equatable {
    let secondsSince1970: Int64
    let milliseconds: Int

    static func now() -> LogTime {
        let now = Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
        return LogTime(secondsSince1970: now / 1_000, milliseconds: Int(now % 1_000))
    }

    /// RFC 3339: `2026-03-01T12:03:04.123Z`.
    var text: String {
        let (year, month, day) = date
        return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))T\(clockText)Z"
    }

    /// `12:03:04.123`
    var clockText: String {
        let second = Int(secondsSince1970 - daysSince1970 * 86_400)
        return Self.digits(second / 3600, 2) + ":" + Self.digits(second / 60 % 60, 2) + ":"
            + Self.digits(second % 60, 2) + "." + Self.digits(milliseconds, 3)
    }

    private var daysSince1970: Int64 { Int64((Double(secondsSince1970) / 86_400).rounded(.down)) }

    /// Converts days to a date of the proleptic Gregorian calendar: years begin in March, so that the leap day comes
    /// last, and 400 years are 146 097 days.
    private var date: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
