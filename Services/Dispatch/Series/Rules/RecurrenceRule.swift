import Foundation

/// A rule of recurring days: the part of RFC 5545's RRULE that covers phrases like "every second Monday".
struct RecurrenceRule: Hashable, Sendable {
    enum Frequency: Hashable, Sendable {
        case daily
        /// On these weekdays; empty stands for the start's weekday.
        case weekly(Set<Weekday>)
        /// On these days of the month, -1 for its last one; empty stands for the start's day. A month without the day
        /// is skipped.
        case monthly([Int])
    }

    enum End: Hashable, Sendable {
        case never
        /// The last possible day.
        case day(LocalDay)
        /// The last possible start.
        case moment(Date)
        /// The number of occurrences, including exceptions.
        case count(Int)
    }

    static let intervals = 1...366
    /// In months.
    static let monthlyIntervals = 1...120
    static let counts = 1...1_000
    static let monthDays = -31...31

    var frequency: Frequency
    /// The number of days, weeks or months between periods.
    var interval = 1
    var end = End.never
    /// The first day of the week; it matters when weeks are skipped.
    var weekStart = Weekday.monday
}

/// The reasons to reject a rule's text. Nothing is ignored silently: an unsupported part is an error.
enum RecurrenceError: Error, Hashable {
    case tooLong(maximum: Int)
    /// A part is not NAME=VALUE, or its value is invalid.
    case malformed(part: String)
    case repeated(part: String)
    case missingFrequency
    /// A part of the RFC that is not supported: FREQ=HOURLY, BYSETPOS, BYDAY=1FR.
    case notSupported(part: String)
    case outOfRange(part: String, ClosedRange<Int>)
    /// UNTIL and COUNT exclude each other.
    case twoEnds
    /// The rule has no occurrence.
    case never
}
