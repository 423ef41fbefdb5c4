import Foundation

/// Conversion of a date to the local time of day in a market's zone.
enum LocalTime {
    /// Minute of the day in 0..<1440; nil if the time zone is unknown.
    static func minuteOfDay(of date: Date, in timeZone: String) -> Int? {
        guard let zone = TimeZone(identifier: timeZone) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        guard let hour = parts.hour, let minute = parts.minute else { return nil }
        return hour * 60 + minute
    }
}
