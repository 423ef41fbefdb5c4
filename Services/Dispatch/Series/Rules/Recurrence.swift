import Foundation

/// The occurrences of a rule from its start on, minus the exceptional days, on the clock of one time zone.
struct Recurrence: Sendable {
    struct Occurrence: Hashable, Sendable {
        /// The occurrence's key: there is at most one a day.
        let day: LocalDay
        let startsAt: Date
    }

    /// The longest distance in days that a search for the next occurrence covers.
    static let longestGapDays = 3_660

    let rule: RecurrenceRule
    /// The first possible day; it is an occurrence only if the rule matches it.
    let firstDay: LocalDay
    /// The minute of the day in local time, 0..<1440.
    let minute: Int
    let exceptions: Set<LocalDay>
    let clock: ZonedClock

    /// - Throws: ``RecurrenceError/never`` for a rule without any occurrence.
    init(
        _ rule: RecurrenceRule, from firstDay: LocalDay, minute: Int, except exceptions: Set<LocalDay> = [],
        clock: ZonedClock
    ) throws(RecurrenceError) {
        self.rule = rule
        self.firstDay = firstDay
        self.minute = minute
        self.exceptions = exceptions
        self.clock = clock
        guard next(from: firstDay) != nil else { throw .never }
    }

    /// The occurrences in a range of days, in order, at most `limit`.
    func occurrences(
        from first: LocalDay, through last: LocalDay, limit: Int = .max
    ) -> [Occurrence] {
        var found: [Occurrence] = []
        var days = RecurrenceDays(self, from: first, through: last)
        while found.count < limit, let day = days.next() {
            if day.day >= first, !exceptions.contains(day.day) { found.append(day) }
        }
        return found
    }

    /// The first occurrence on or after a day.
    func next(from day: LocalDay) -> Occurrence? {
        let last = max(day, firstDay).advanced(by: Self.longestGapDays)
        return occurrences(from: day, through: last, limit: 1).first
    }

    /// The occurrence on this day, if there is one.
    func occurrence(on day: LocalDay) -> Occurrence? {
        occurrences(from: day, through: day, limit: 1).first
    }
}

/// Iterates over the days of a rule in order, including exceptions, because COUNT includes them.
private struct RecurrenceDays: IteratorProtocol {
    private let recurrence: Recurrence
    private let last: LocalDay
    /// The number of days, weeks or months since the first one.
    private var period = 0
    private var waiting: [LocalDay] = []
    private var left: Int

    /// - Parameter first: days before it are skipped where possible.
    init(_ recurrence: Recurrence, from first: LocalDay, through last: LocalDay) {
        self.recurrence = recurrence
        self.last = last
        period = Self.period(of: first, in: recurrence)
        left = if case .count(let count) = recurrence.rule.end { count } else { .max }
    }

    mutating func next() -> Recurrence.Occurrence? {
        guard left > 0 else { return nil }
        while waiting.isEmpty {
            guard begin(of: period) <= last else { return nil }
            // Reversed, because the next day is taken from the end.
            waiting = days(of: period).filter { $0 >= recurrence.firstDay }.reversed()
            period += recurrence.rule.interval
        }
        let day = waiting.removeLast()
        guard day <= last else { return nil }
        let startsAt = recurrence.clock.moment(day, minute: recurrence.minute)
        switch recurrence.rule.end {
        case .day(let end) where day > end: return nil
        case .moment(let end) where startsAt > end: return nil
        default: break
        }
        left -= 1
        return Recurrence.Occurrence(day: day, startsAt: startsAt)
    }

    /// A period of the rule at or before a day, so that a search far ahead does not iterate over all days before it. A
    /// rule with COUNT is always iterated from its beginning, and it is finite.
    private static func period(of day: LocalDay, in recurrence: Recurrence) -> Int {
        if case .count = recurrence.rule.end { return 0 }
        let first = recurrence.firstDay
        guard day > first else { return 0 }
        let periods =
            switch recurrence.rule.frequency {
            case .daily: day.number - first.number
            case .weekly: (day.number - first.number) / 7
            case .monthly: (day.civil.year - first.civil.year) * 12 + day.civil.month - first.civil.month
            }
        return periods - periods % recurrence.rule.interval
    }

    private func begin(of period: Int) -> LocalDay {
        let first = recurrence.firstDay
        switch recurrence.rule.frequency {
        case .daily: return first.advanced(by: period)
        case .weekly:
            return first.advanced(by: period * 7 - first.weekday.days(since: recurrence.rule.weekStart))
        case .monthly:
            let (year, month) = self.month(of: period)
            return LocalDay(year: year, month: month, day: 1) ?? LocalDay(number: .max)
        }
    }

    private func days(of period: Int) -> [LocalDay] {
        let first = recurrence.firstDay
        let weekStart = recurrence.rule.weekStart
        switch recurrence.rule.frequency {
        case .daily: return [begin(of: period)]
        case .weekly(let weekdays):
            let wanted = weekdays.isEmpty ? [first.weekday] : weekdays
            return wanted.map { $0.days(since: weekStart) }.sorted().map { begin(of: period).advanced(by: $0) }
        case .monthly(let monthDays):
            let (year, month) = self.month(of: period)
            let length = LocalDay.daysOf(month: month, year: year)
            let wanted = (monthDays.isEmpty ? [first.civil.day] : monthDays).map { $0 < 0 ? length + 1 + $0 : $0 }
            return Set(wanted).sorted().compactMap { LocalDay(year: year, month: month, day: $0) }
        }
    }

    private func month(of period: Int) -> (year: Int, month: Int) {
        let (year, month, _) = recurrence.firstDay.civil
        let months = year * 12 + month - 1 + period
        return (months / 12, months % 12 + 1)
    }
}
