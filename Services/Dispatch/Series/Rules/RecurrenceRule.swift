import Foundation

/// On which days something comes again: the part of RFC 5545's RRULE that people mean when they say "every second Monday".
struct RecurrenceRule: Hashable, Sendable {
    enum Frequency: Hashable, Sendable {
        case daily
        /// On these days; empty is the day of the start.
        case weekly(Set<Weekday>)
        /// On these days of the month, -1 being its last; empty is that of the start. A month without the day is left out.
        case monthly([Int])
    }

    enum End: Hashable, Sendable {
        case never
        /// The last day that may be one.
        case day(LocalDay)
        /// The last moment at which one may begin.
        case moment(Date)
        /// How many there are, those that are excepted included.
        case count(Int)
    }

    static let intervals = 1...366
    /// Of months.
    static let monthlyIntervals = 1...120
    static let counts = 1...1_000
    static let monthDays = -31...31

    var frequency: Frequency
    /// Every so many days, weeks or months.
    var interval = 1
    var end = End.never
    /// Where a week begins, which counts when weeks are left out.
    var weekStart = Weekday.monday
}

/// Why a text is no rule that is understood. Nothing is guessed: what would be ignored is refused.
enum RecurrenceError: Error, Hashable {
    case tooLong(maximum: Int)
    /// A part that is not NAME=VALUE, or whose value is none of its kind.
    case malformed(part: String)
    case repeated(part: String)
    case missingFrequency
    /// Known to the RFC and not done here: FREQ=HOURLY, BYSETPOS, BYDAY=1FR.
    case notSupported(part: String)
    case outOfRange(part: String, ClosedRange<Int>)
    /// UNTIL and COUNT exclude each other.
    case twoEnds
    /// There is no day on which it would ever come.
    case never
}
