import Foundation

/// When something comes again: a rule, its start, and the days that are left out, on the clock of one zone.
struct Recurrence: Sendable {
    struct Occurrence: Hashable, Sendable {
        /// Names it for ever: there is one a day at most.
        let day: LocalDay
        let startsAt: Date
    }

    /// Nothing is looked for further ahead than this from where one begins to look.
    static let longestGapDays = 3_660

    let rule: RecurrenceRule
    /// The first day that may be one. It is one only if the rule says so.
    let firstDay: LocalDay
    /// Of the day, on the wall, 0..<1440.
    let minute: Int
    let exceptions: Set<LocalDay>
    let clock: ZonedClock

    /// - Throws: ``RecurrenceError/never`` for a rule that has no day at all.
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

    /// Those of these days, in order, at most `limit`.
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

    /// The first one on or after a day.
    func next(from day: LocalDay) -> Occurrence? {
        let last = max(day, firstDay).advanced(by: Self.longestGapDays)
        return occurrences(from: day, through: last, limit: 1).first
    }

    /// The one of this day, if there is one.
    func occurrence(on day: LocalDay) -> Occurrence? {
        occurrences(from: day, through: day, limit: 1).first
    }
}

/// The days of a rule in order, those that are excepted included, for they count.
private struct RecurrenceDays: IteratorProtocol {
    private let recurrence: Recurrence
    private let last: LocalDay
    /// Days, weeks or months since the first.
    private var period = 0
    private var waiting: [LocalDay] = []
    private var left: Int

    /// - Parameter first: days before it are left out where that is possible.
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
            // The next one is taken from the end.
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

    /// A period of the rule that is not after the one with the day, so that looking far ahead takes no walk there. A rule
    /// that counts its days is walked from its beginning; it ends by itself.
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
