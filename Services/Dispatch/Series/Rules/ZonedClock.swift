import Foundation

/// Converts local times of a zone to instants, across changes of its clocks.
struct ZonedClock: Sendable {
    let zone: TimeZone

    /// Nil for an unknown zone.
    init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    init(zone: TimeZone) { self.zone = zone }

    /// The instant of a local time by RFC 5545, 3.3.5: a time that occurs twice means the first one, and a time that is
    /// skipped counts by the offset before the change, so 02:30 becomes 03:30.
    ///
    /// - Parameter minute: the minute of the day, 0..<1440.
    func moment(_ day: LocalDay, minute: Int) -> Date {
        let wall = Double(day.number * 86_400 + minute * 60)
        // No zone changes its clock twice in three days, and none is more than 14 hours from UTC.
        let before = offset(at: wall - 86_400)
        let after = offset(at: wall + 86_400)
        let early = wall - before
        if before == after || offset(at: early) == before { return Date(timeIntervalSince1970: early) }
        let late = wall - after
        return Date(timeIntervalSince1970: offset(at: late) == after ? late : early)
    }

    /// The day and the minute of an instant in local time.
    func wall(at moment: Date) -> (day: LocalDay, minute: Int) {
        let seconds = (moment.timeIntervalSince1970 + offset(at: moment.timeIntervalSince1970)).rounded(.down)
        let day = (seconds / 86_400).rounded(.down)
        return (LocalDay(number: Int(day)), Int(seconds - day * 86_400) / 60)
    }

    private func offset(at seconds: Double) -> Double {
        Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
}
