public import Foundation

extension MarketSettings {
    /// The day of a moment in the market's time zone, as `2026-03-01`.
    public func day(of moment: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        // Only existing time zones can be set.
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: moment)
        func text(_ number: Int?, _ length: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(length - digits.count, 0)) + digits
        }
        return [text(day.year, 4), text(day.month, 2), text(day.day, 2)].joined(separator: "-")
    }

    /// The start of a moment's day in the market's time zone.
    public func dayStart(of moment: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        return calendar.startOfDay(for: moment)
    }

    /// The moment before which the market's data of people is to be deleted (Q9): ``retentionMonths`` calendar months
    /// earlier, in UTC.
    public func retentionStart(before now: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(byAdding: .month, value: -retentionMonths, to: now) ?? .distantPast
    }

    /// The full name of a zone in the IANA database, such as `Asia/Riyadh`; abbreviations and offsets are refused.
    static func zone(_ text: String, _ key: Key) throws(Refusal) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), text.utf8.count <= 64, parts.allSatisfy(isPartOfZone),
            TimeZone(identifier: text) != nil
        else { throw Refusal(key: key, allowed: "an IANA time zone such as Asia/Riyadh") }
        return text
    }

    private static func isPartOfZone(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return part.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
        }
    }
}
