import Foundation

extension RecurrenceRule {
    static let maximumLength = 200

    /// Parses `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20271231`, with or without a leading `RRULE:`, in upper or
    /// lower case.
    ///
    /// UNTIL is the last possible day, or a moment in UTC.
    init(_ text: String) throws(RecurrenceError) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong(maximum: Self.maximumLength) }
        let parts = try Self.parts(text)
        interval = try Self.number(parts["INTERVAL"], "INTERVAL", Self.intervals) ?? 1
        if let name = parts["WKST"] {
            guard let day = Weekday(rawValue: name) else { throw .malformed(part: "WKST") }
            weekStart = day
        }
        frequency = try Self.frequency(parts)
        // A longer interval would exceed ``Recurrence/longestGapDays``, and the series would end silently.
        if case .monthly = frequency, !Self.monthlyIntervals.contains(interval) {
            throw .outOfRange(part: "INTERVAL", Self.monthlyIntervals)
        }
        end = try Self.end(parts)
    }

    /// The rule's shortest text; parsing it gives the same rule.
    var text: String {
        var parts: [String]
        switch frequency {
        case .daily: parts = ["FREQ=DAILY"]
        case .weekly(let days):
            parts = ["FREQ=WEEKLY"]
            let names = Weekday.allCases.filter(days.contains).map(\.rawValue)
            if !names.isEmpty { parts.append("BYDAY=\(names.joined(separator: ","))") }
        case .monthly(let days):
            parts = ["FREQ=MONTHLY"]
            if !days.isEmpty { parts.append("BYMONTHDAY=\(days.map(String.init).joined(separator: ","))") }
        }
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if weekStart != .monday { parts.append("WKST=\(weekStart.rawValue)") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .day(let day): parts.append("UNTIL=\(day.text.filter { $0 != "-" })")
        case .moment(let moment): parts.append("UNTIL=\(UTCTime.text(moment))")
        }
        return parts.joined(separator: ";")
    }

    private static let known: Set = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "WKST"]
    private static let otherParts: Set = [
        "BYSECOND", "BYMINUTE", "BYHOUR", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "RSCALE", "SKIP",
    ]

    private static func parts(_ text: String) throws(RecurrenceError) -> [String: String] {
        var upper = text.uppercased()[...]
        if upper.hasPrefix("RRULE:") { upper = upper.dropFirst("RRULE:".count) }
        var parts: [String: String] = [:]
        for part in upper.split(separator: ";", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "=") else { throw .malformed(part: String(part)) }
            let name = String(part[..<sign])
            let value = String(part[part.index(after: sign)...])
            if otherParts.contains(name) { throw .notSupported(part: name) }
            guard known.contains(name), !value.isEmpty else { throw .malformed(part: name) }
            guard parts.updateValue(value, forKey: name) == nil else { throw .repeated(part: name) }
        }
        return parts
    }

    private static func frequency(_ parts: [String: String]) throws(RecurrenceError) -> Frequency {
        let days = parts["BYDAY"]
        let monthDays = parts["BYMONTHDAY"]
        switch parts["FREQ"] {
        case nil: throw .missingFrequency
        case "DAILY":
            if days != nil { throw .notSupported(part: "BYDAY") }
            if monthDays != nil { throw .notSupported(part: "BYMONTHDAY") }
            return .daily
        case "WEEKLY":
            if monthDays != nil { throw .notSupported(part: "BYMONTHDAY") }
            return .weekly(try weekdays(days))
        case "MONTHLY":
            if days != nil { throw .notSupported(part: "BYDAY") }
            return .monthly(try self.monthDays(monthDays))
        case "SECONDLY", "MINUTELY", "HOURLY", "YEARLY": throw .notSupported(part: "FREQ")
        default: throw .malformed(part: "FREQ")
        }
    }

    private static func weekdays(_ text: String?) throws(RecurrenceError) -> Set<Weekday> {
        var days: Set<Weekday> = []
        for name in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            guard let day = Weekday(rawValue: String(name)) else {
                // An ordinal such as 1FR (the first Friday) belongs to longer periods.
                let isOrdinal = Weekday(rawValue: String(name.suffix(2))) != nil && Int(name.dropLast(2)) != nil
                throw isOrdinal ? .notSupported(part: "BYDAY") : .malformed(part: "BYDAY")
            }
            days.insert(day)
        }
        return days
    }

    private static func monthDays(_ text: String?) throws(RecurrenceError) -> [Int] {
        var days: Set<Int> = []
        for name in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            let day = try number(String(name), "BYMONTHDAY", monthDays) ?? 0
            guard day != 0 else { throw .outOfRange(part: "BYMONTHDAY", monthDays) }
            days.insert(day)
        }
        return days.sorted()
    }

    private static func end(_ parts: [String: String]) throws(RecurrenceError) -> End {
        let count = try number(parts["COUNT"], "COUNT", counts)
        guard let until = parts["UNTIL"] else { return count.map(End.count) ?? .never }
        guard count == nil else { throw .twoEnds }
        if let day = LocalDay(until), until.utf8.count == 8 { return .day(day) }
        guard let moment = UTCTime(until) else { throw .malformed(part: "UNTIL") }
        return .moment(moment.date)
    }

    /// Nil if the text is nil.
    private static func number(
        _ text: String?, _ part: String, _ range: ClosedRange<Int>
    ) throws(RecurrenceError) -> Int? {
        guard let text else { return nil }
        guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text) else { throw .malformed(part: part) }
        guard range.contains(number) else { throw .outOfRange(part: part, range) }
        return number
    }
}

/// A moment in RFC 5545's UTC form: `20271231T235959Z`.
struct UTCTime {
    let date: Date

    init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 8, let day = LocalDay(parts[0]), parts[1].utf8.count == 7,
            parts[1].hasSuffix("Z")
        else { return nil }
        let digits = Array(parts[1].utf8.prefix(6)).map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute, second) = (
            digits[0] * 10 + digits[1], digits[2] * 10 + digits[3], digits[4] * 10 + digits[5]
        )
        guard hour < 24, minute < 60, second < 60 else { return nil }
        date = Date(timeIntervalSince1970: Double(day.number * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = LocalDay(number: Int((Double(seconds) / 86_400).rounded(.down)))
        let rest = seconds - day.number * 86_400
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let time = padded(rest / 3_600) + padded(rest / 60 % 60) + padded(rest % 60)
        return "\(day.text.filter { $0 != "-" })T\(time)Z"
    }
}
