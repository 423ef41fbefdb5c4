public import Foundation

/// Times in JSON: RFC 3339 in UTC with milliseconds, `2026-11-22T07:45:00.123Z`. Written by hand, because Foundation uses
/// its calendar for each; it writes only years outside of 1600 to 9999.
public enum WireTime {
    private static let dayMilliseconds = 86_400_000
    /// The years 1600 to 9999, in milliseconds since 1970. Before 1582 Foundation uses the Julian calendar.
    static let usual = -11_676_096_000_000...253_402_300_799_999
    static let firstUsualYear = 1_600
    /// Seconds between 1970 and Foundation's epoch.
    static let secondsUntil2001 = 978_307_200

    /// Rounds to the nearest millisecond: in binary most milliseconds lie a little below their value, and a time that
    /// is read and written again must not change.
    public static func text(_ date: Date) -> String {
        guard let milliseconds = milliseconds(date) else { return unusualText(date) }
        return String(unsafeUninitializedCapacity: length) { write(milliseconds, to: $0) }
    }

    /// Appends ``text(_:)``.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        guard let milliseconds = milliseconds(date) else {
            bytes.append(contentsOf: unusualText(date).utf8)
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { text in
            _ = write(milliseconds, to: text)
            bytes.append(contentsOf: text)
        }
    }

    private static let length = 24

    /// Since 1970; nil for a time outside of the years that are written here.
    private static func milliseconds(_ date: Date) -> Int? {
        Int(exactly: (date.timeIntervalSince1970 * 1_000).rounded()).flatMap { usual.contains($0) ? $0 : nil }
    }

    private static func unusualText(_ date: Date) -> String {
        // Foundation truncates to milliseconds.
        let nearest = ((date.timeIntervalSince1970 * 1_000).rounded() + 0.1) / 1_000
        return Date(timeIntervalSince1970: nearest).formatted(foundation)
    }

    private static func write(_ since1970: Int, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let days = (since1970 < 0 ? since1970 - dayMilliseconds + 1 : since1970) / dayMilliseconds
        let (year, month, day) = civil(days)
        let rest = since1970 - days * dayMilliseconds
        var place = 0
        func put(_ value: Int, digits: Int, then separator: Unicode.Scalar) {
            var left = value
            for offset in (0..<digits).reversed() {
                text[place + offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10)
                left /= 10
            }
            text[place + digits] = UInt8(ascii: separator)
            place += digits + 1
        }
        put(year, digits: 4, then: "-")
        put(month, digits: 2, then: "-")
        put(day, digits: 2, then: "T")
        put(rest / 3_600_000, digits: 2, then: ":")
        put(rest / 60_000 % 60, digits: 2, then: ":")
        put(rest / 1_000 % 60, digits: 2, then: ".")
        put(rest % 1_000, digits: 3, then: "Z")
        return place
    }

    private static let foundation = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Parses the output of ``text(_:)``, also without milliseconds; nil for all other texts, valid or not.
    static func parseUsual(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count == 24 || bytes.count == 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
                bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
                bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
            else { return nil }
            let hasMilliseconds = bytes.count == 24
            if hasMilliseconds && bytes[19] != UInt8(ascii: ".") { return nil }
            func number(_ from: Int, _ count: Int) -> Int? {
                var value = 0
                for byte in bytes[from..<from + count] {
                    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                    value = value * 10 + Int(byte - UInt8(ascii: "0"))
                }
                return value
            }
            guard let year = number(0, 4), year >= firstUsualYear, let month = number(5, 2), (1...12).contains(month),
                let day = number(8, 2), (1...daysOf(month, year)).contains(day), let hour = number(11, 2), hour < 24,
                let minute = number(14, 2), minute < 60, let second = number(17, 2), second < 60,
                let milliseconds = hasMilliseconds ? number(20, 3) : 0
            else { return nil }
            let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - secondsUntil2001
            return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(milliseconds) / 1_000)
        }
    }

    // MARK: The calendar
    // Years begin in March here, so that a leap day is the last day of a year; 400 years have 146097 days.

    static func civil(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        // Counted from 0000-03-01; no day here is earlier.
        let days = daysSince1970 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1
        )
    }

    static func daysOf(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear % 400
        let fromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
