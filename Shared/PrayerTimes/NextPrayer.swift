public import Foundation

/// The prayer that begins next, and when.
public struct NextPrayer: Sendable, Hashable {
    public let prayer: Prayer
    public let time: Date
    /// The day to which it belongs. In a northern summer Isha is after midnight, and the day before's.
    public let day: CivilDay

    /// Nil where no prayer begins within two days, near the poles.
    ///
    /// - Parameter now: a prayer that begins at this very moment is not the next one.
    public init?(after now: Date, _ settings: PrayerSettings) {
        let today = CivilDay(now, in: settings.timeZone)
        var next: NextPrayer?
        for shift in -1...1 {
            let day = PrayerDay(today.adding(days: shift), settings)
            guard let times = day.times else { continue }
            for prayer in Prayer.allCases where prayer != .sunrise {
                let time = times[prayer]
                guard time > now, next.map({ time < $0.time }) ?? true else { continue }
                next = NextPrayer(prayer, time, day.day)
            }
        }
        guard let next else { return nil }
        self = next
    }

    private init(_ prayer: Prayer, _ time: Date, _ day: CivilDay) {
        self.prayer = prayer
        self.time = time
        self.day = day
    }
}
