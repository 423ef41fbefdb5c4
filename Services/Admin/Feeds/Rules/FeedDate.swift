import Foundation

/// The dates of feeds: RFC 822 in RSS, RFC 3339 in Atom, and what is written in their place.
enum FeedDate {
    static func read(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return internet(text) ?? mail(text)
    }

    /// `2026-11-28T10:15:00.5+03:00`; also a day alone, and a time without a zone, which is UTC's.
    private static func internet(_ text: String) -> Date? {
        let pattern =
            #/
            ([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})
            (?:[Tt\ ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?
            /#
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        return moment(
            year: Int(match.1), month: Int(match.2), day: Int(match.3), hour: match.4.flatMap { Int($0) } ?? 0,
            minute: match.5.flatMap { Int($0) } ?? 0, second: match.6.flatMap { Int($0) } ?? 0,
            offset: match.7.map(Self.offset) ?? 0)
    }

    /// `Sat, 28 Nov 2026 10:15:00 +0300`; the day of the week, the seconds and the zone may be missing, a year may have
    /// two digits.
    private static func mail(_ text: String) -> Date? {
        let pattern =
            #/
            (?:[A-Za-z]{3,9}\.?,?\s+)?
            ([0-9]{1,2})[\s\-]+([A-Za-z]{3,9})\.?,?[\s\-]+([0-9]{4}|[0-9]{2})
            (?:\s+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?
            (?:\s*([A-Za-z]{1,5}|[+-][0-9]{2}:?[0-9]{2}))?
            (?:\s*\(.*\))?
            /#
        guard let match = text.wholeMatch(of: pattern), var year = Int(match.3),
            let month = months.firstIndex(of: match.2.prefix(3).lowercased())
        else { return nil }
        // RFC 2822, 4.3.
        if year < 100 { year += year < 50 ? 2_000 : 1_900 }
        return moment(
            year: year, month: month + 1, day: Int(match.1), hour: match.4.flatMap { Int($0) } ?? 0,
            minute: match.5.flatMap { Int($0) } ?? 0, second: match.6.flatMap { Int($0) } ?? 0,
            offset: match.7.map(Self.offset) ?? 0)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// Hours. Other letters are UTC, as RFC 2822 wants them read.
    private static let zones = ["est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7]

    /// Seconds east of UTC; nil for none that there is.
    private static func offset(_ text: Substring) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return (zones[text.lowercased()] ?? 0) * 3_600 }
        let digits = text.dropFirst().filter(\.isNumber)
        guard digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 15,
            minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    private static func moment(
        year: Int?, month: Int?, day: Int?, hour: Int, minute: Int, second: Int, offset: Int?
    ) -> Date? {
        guard let year, let month, let day, let offset, (1_970...2_200).contains(year), hour < 24, minute < 60,
            // A leap second is the next one.
            second <= 60
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = DateComponents(year: year, month: month, day: day)
        // A day that there is not, such as 31 June, would be another day.
        guard let start = calendar.date(from: parts),
            calendar.dateComponents([.month, .day], from: start) == DateComponents(month: month, day: day)
        else { return nil }
        return start.addingTimeInterval(Double(hour * 3_600 + minute * 60 + second - offset))
    }
}
