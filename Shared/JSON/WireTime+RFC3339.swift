public import Foundation

extension WireTime {
    /// Parses RFC 3339 strictly: `2026-11-22T07:45:00.123+03:00`, also with `t` and `z`. The day must exist in its
    /// month, the offset must be shorter than a day, and a second 60 must be a leap second. For the years 1600 to 9999
    /// in UTC.
    public static func parse(_ text: String) -> Date? {
        if let date = parseUsual(text) { return date }
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T"), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            year >= firstUsualYear, (1...12).contains(month), (1...daysOf(month, year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
        if second == 60 {
            // The last second of June or December in UTC; it is read as the first second of the next month.
            let (_, nextMonth, nextDay) = civil(seconds / 86_400)
            guard seconds % 86_400 == 0, nextDay == 1, nextMonth == 1 || nextMonth == 7 else { return nil }
        }
        guard usual.contains(seconds * 1_000) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(seconds - secondsUntil2001) + fraction)
    }

    private struct Reader {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }
        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        /// Takes a sign, or a letter in either case.
        mutating func take(_ wanted: Unicode.Scalar) -> Bool {
            guard let next else { return false }
            let isLetter = ("A"..."Z").contains(wanted)
            guard next == UInt8(ascii: wanted) || isLetter && next == UInt8(ascii: wanted) + 32 else { return false }
            position += 1
            return true
        }

        mutating func number(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Nil for a point without digits.
        mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            var (value, scale, count) = (0.0, 0.1, 0)
            while let digit = digit() {
                value += Double(digit) * scale
                scale /= 10
                count += 1
            }
            return count > 0 ? value : nil
        }

        /// The minutes by which the time is ahead of UTC.
        mutating func offset() -> Int? {
            if take("Z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60 else {
                return nil
            }
            return sign * (hours * 60 + minutes)
        }

        private mutating func digit() -> Int? {
            guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { return nil }
            position += 1
            return Int(next - UInt8(ascii: "0"))
        }
    }
}
