/// The opening hours of each day, in the market's zone. An end at or before the start is on the next day.
public struct OpeningHours: Codable, Hashable, Sendable {
    /// Minutes after midnight, 0..<1440.
    public var openMinute: Int
    public var closeMinute: Int

    public init(openMinute: Int, closeMinute: Int) {
        self.openMinute = openMinute
        self.closeMinute = closeMinute
    }

    /// Parses `08:00-20:00`.
    public init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)/),
            let openHour = Int(match.1), let openMinute = Int(match.2), let closeHour = Int(match.3),
            let closeMinute = Int(match.4)
        else { return nil }
        self.init(openMinute: openHour * 60 + openMinute, closeMinute: closeHour * 60 + closeMinute)
    }

    public var text: String {
        func clock(_ minutes: Int) -> String {
            let (hours, minutes) = minutes.quotientAndRemainder(dividingBy: 60)
            return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
        }
        return "\(clock(openMinute))-\(clock(closeMinute))"
    }

    public func isOpen(minuteOfDay: Int) -> Bool {
        openMinute < closeMinute
            ? (openMinute..<closeMinute).contains(minuteOfDay)
            : minuteOfDay >= openMinute || minuteOfDay < closeMinute
    }
}
