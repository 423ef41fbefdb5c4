/// A day of the Gregorian calendar, independent of a time zone.
struct LocalDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    let number: Int

    init(number: Int) { self.number = number }

    /// 9999-12-31, the last day that RFC 3339 can express.
    static let last = LocalDay(number: 2_932_896)

    /// Nil for a day that does not exist, such as 30 February, and for years outside of 1900...9999.
    init?(year: Int, month: Int, day: Int) {
        guard (1900...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysOf(month: month, year: year)
        else { return nil }
        // Counts months from March, so that the leap day is the last day of a year (Hinnant, "chrono-compatible
        // low-level date algorithms").
        let shifted = month <= 2 ? year - 1 : year
        let century = shifted / 400
        let yearOfCentury = shifted - century * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfCentury = yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear
        number = century * 146_097 + dayOfCentury - 719_468
    }

    /// Parses `2026-11-22`, or RFC 5545's form `20261122`.
    init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        let places: (year: Range<Int>, month: Range<Int>, day: Range<Int>)
        switch digits.count {
        case 8: places = (0..<4, 4..<6, 6..<8)
        case 10:
            guard digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else { return nil }
            places = (0..<4, 5..<7, 8..<10)
        default: return nil
        }
        guard let year = Self.number(digits[places.year]), let month = Self.number(digits[places.month]),
            let day = Self.number(digits[places.day])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    var civil: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let century = Self.floor(shifted, 146_097)
        let dayOfCentury = shifted - century * 146_097
        let yearOfCentury =
            (dayOfCentury - dayOfCentury / 1_460 + dayOfCentury / 36_524 - dayOfCentury / 146_096) / 365
        let dayOfYear = dayOfCentury - (365 * yearOfCentury + yearOfCentury / 4 - yearOfCentury / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfCentury + century * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// For example `2026-11-22`.
    var text: String {
        let (year, month, day) = civil
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(year)-\(padded(month))-\(padded(day))"
    }

    var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday.allCases[number + 3 - Self.floor(number + 3, 7) * 7]
    }

    func advanced(by days: Int) -> LocalDay { LocalDay(number: number + days) }

    static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }

    static func daysOf(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        (number >= 0 ? number : number - divisor + 1) / divisor
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

/// The weekdays by their RFC 5545 names, beginning with Monday.
enum Weekday: String, CaseIterable, Sendable {
    case monday = "MO"
    case tuesday = "TU"
    case wednesday = "WE"
    case thursday = "TH"
    case friday = "FR"
    case saturday = "SA"
    case sunday = "SU"

    /// The number of days since the first day of the week, 0...6.
    func days(since first: Weekday) -> Int {
        let all = Self.allCases
        guard let own = all.firstIndex(of: self), let other = all.firstIndex(of: first) else { return 0 }
        return (own - other + 7) % 7
    }
}
