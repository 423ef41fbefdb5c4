import Foundation

/// The planned changes of a series at one moment, computed without the database.
struct SeriesPlan: Sendable {
    /// The visits to insert, in order; those whose time has passed are missed.
    let new: [SeriesVisit]
    /// All days up to this one have rows after the insert.
    let through: LocalDay
    /// The time at which the rule's next day has to be planned; nil if there is none.
    let nextDue: Date?

    /// The number of new rows of one run; the next run continues at once.
    static let maximum = 100

    /// - Parameters:
    ///   - plannedThrough: the result of the previous plan.
    ///   - ahead: the time before a visit at which it is planned, in seconds.
    ///   - grace: the time after its time for which it is not missed, in seconds.
    init(
        _ recurrence: Recurrence, plannedThrough: LocalDay?, at now: Date, ahead: TimeInterval, grace: TimeInterval = 0
    ) {
        let first = plannedThrough?.advanced(by: 1) ?? recurrence.firstDay
        let horizon = recurrence.clock.wall(at: now.addingTimeInterval(ahead)).day
        let found = recurrence.occurrences(from: first, through: horizon, limit: Self.maximum)
        new = found.map {
            SeriesVisit(day: $0.day, startsAt: $0.startsAt, state: $0.startsAt + grace > now ? .planned : .missed)
        }
        let isCut = found.count == Self.maximum
        through = isCut ? found.last?.day ?? horizon : max(horizon, first.advanced(by: -1))
        nextDue = recurrence.next(from: through.advanced(by: 1)).map { $0.startsAt.addingTimeInterval(-ahead) }
    }
}
