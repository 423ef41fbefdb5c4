import Foundation

/// What a series has to have done by now: the pure half of its deadline.
struct SeriesPlan: Sendable {
    /// Visits that get a row, in order. Those whose time is over are missed ones.
    let new: [SeriesVisit]
    /// The days until here have their rows then.
    let through: LocalDay
    /// When the next day of the rule needs one; nil when there is none left.
    let nextDue: Date?

    /// New rows of one run; what is more comes in the next, at once.
    static let maximum = 100

    /// - Parameters:
    ///   - plannedThrough: as an earlier plan left it.
    ///   - ahead: how long before a visit it is planned; seconds.
    init(_ recurrence: Recurrence, plannedThrough: LocalDay?, at now: Date, ahead: TimeInterval) {
        let first = plannedThrough?.advanced(by: 1) ?? recurrence.firstDay
        let horizon = recurrence.clock.wall(at: now.addingTimeInterval(ahead)).day
        let found = recurrence.occurrences(from: first, through: horizon, limit: Self.maximum)
        new = found.map {
            SeriesVisit(day: $0.day, startsAt: $0.startsAt, state: $0.startsAt > now ? .planned : .missed)
        }
        let isCut = found.count == Self.maximum
        through = isCut ? found.last?.day ?? horizon : max(horizon, first.advanced(by: -1))
        nextDue = recurrence.next(from: through.advanced(by: 1)).map { $0.startsAt.addingTimeInterval(-ahead) }
    }
}
