import Foundation

/// The time of each day at which an account's phones are to be quiet, in its own zone.
struct QuietHours: Sendable, Equatable {
    /// Minutes after midnight. An end before the start is on the next day.
    let fromMinute: Int
    let toMinute: Int
    /// As it was given: Foundation has other names for some, `GMT` for `UTC`.
    let zoneName: String
    private let zone: TimeZone

    /// Nil for equal ends and for a zone that is not known.
    init?(fromMinute: Int, toMinute: Int, zone: String) {
        guard fromMinute != toMinute, (0..<1_440).contains(fromMinute), (0..<1_440).contains(toMinute),
            let found = Self.zone(zone)
        else { return nil }
        (self.fromMinute, self.toMinute, self.zoneName, self.zone) = (fromMinute, toMinute, zone, found)
    }

    /// By its IANA name alone: an abbreviation such as `EST` is no place.
    static func zone(_ name: String) -> TimeZone? {
        guard name == "UTC" || name.contains("/") else { return nil }
        return TimeZone(identifier: name)
    }

    /// Minutes after midnight of `22:30`.
    static func minute(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([01]\d|2[0-3]):([0-5]\d)/), let hour = Int(match.1),
            let minute = Int(match.2)
        else { return nil }
        return hour * 60 + minute
    }

    static func text(_ minute: Int) -> String {
        let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// When the quiet that holds at a moment ends; nil if there is none. By the clock of the wall: where the clocks are
    /// changed meanwhile, it ends at the wall's time, too.
    func end(at now: Date) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.hour, .minute], from: now)
        guard let hour = parts.hour, let minute = parts.minute else { return nil }
        let current = hour * 60 + minute
        let isQuiet =
            fromMinute < toMinute
            ? (fromMinute..<toMinute).contains(current) : current >= fromMinute || current < toMinute
        guard isQuiet else { return nil }
        return calendar.nextDate(
            after: now, matching: DateComponents(hour: toMinute / 60, minute: toMinute % 60, second: 0),
            matchingPolicy: .nextTime)
    }
}
