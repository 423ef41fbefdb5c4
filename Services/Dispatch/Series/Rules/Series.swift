import Foundation

/// Visits that a customer asked for once and that come again by a rule (O7).
struct Series: Equatable, Sendable {
    enum State: String, Sendable { case active, ended }

    /// What each of its visits is.
    struct Wish: Equatable, Sendable {
        /// Ids of the market's services, each once.
        var services: [String]
        var place: Order.Place
        /// The provider whom the customer would like; an admin may send another.
        var preferred: UUID?
        /// A linked relative, if it is not for the customer.
        var recipient: UUID?
    }

    /// How its visits are paid, for which its customer is not there, and what they may cost.
    struct Consent: Equatable, Sendable {
        enum Method: String, Sendable, CaseIterable { case card, wallet }

        var method: Method
        /// The stored card; nil is one that its owner agreed to have charged for such orders.
        var card: UUID?
        var agreedAt: Date
    }

    /// How far ahead visits are ordered: what is held on a card lapses after a week.
    static let ahead: TimeInterval = 6 * 86_400
    /// Running ones of a customer.
    static let maximum = 20
    static let maximumExceptions = 366
    /// How far in the future a series may begin, and a visit may be moved.
    static let longestDelayDays = 366

    let id: UUID
    let market: String
    let customer: UUID
    let wish: Wish
    let rule: RecurrenceRule
    let firstDay: LocalDay
    /// Of the day, on the market's clock.
    let minute: Int
    let exceptions: Set<LocalDay>
    /// The days until here have been planned.
    var plannedThrough: LocalDay?
    var state: State
    let createdAt: Date
    var endedAt: Date?
    /// Why it ended, where its customer did not end it: a slug.
    var endedReason: String?
    /// In which its customer agreed to have its visits charged; nil is what the market began with.
    var currency: String?
    /// Nil of older ones, which are paid from a card that its owner agreed to have charged.
    var consent: Consent?
    /// The price of a visit that the customer agreed to, in minor units; nil until one was ordered, of older ones.
    var agreedTotal: Int?
    /// The admin who began it for a caller.
    var orderedBy: UUID?

    /// - Throws: ``RecurrenceError/never``
    func recurrence(on clock: ZonedClock) throws(RecurrenceError) -> Recurrence {
        try Recurrence(rule, from: firstDay, minute: minute, except: exceptions, clock: clock)
    }
}

/// One visit of a series that was planned, or that its customer has changed.
struct SeriesVisit: Equatable, Sendable {
    enum State: String, Sendable {
        case planned
        /// There is an order, and all else is the order's.
        case requested
        case skipped
        /// No order could be made, for a reason that is kept.
        case refused
        /// Its time was over before it could be ordered.
        case missed
    }

    /// By which the rule named it. It stays when the visit is moved.
    let day: LocalDay
    var startsAt: Date
    var state = State.planned
    var isMoved = false
    var order: UUID?
    var reason: String?
    /// How often its customer was asked for a yes to a price that rose.
    var priceNotices = 0
}

/// The next step for a visit that costs more than its customer agreed to.
struct RisenPrice: Equatable, Sendable {
    /// Before the visit, when it is not waited for any longer.
    static let endSeconds: TimeInterval = 86_400
    /// Before the visit, when its customer is asked for the last time.
    static let warningSeconds: TimeInterval = 2 * 86_400

    /// When it is given up; over when that is no later than now.
    let until: Date
    /// Whether the customer is asked now, and whether for the last time.
    let isAsked: Bool
    let isLast: Bool
    /// When it has to be looked at again.
    let nextDue: Date

    init(_ visit: SeriesVisit, at now: Date) {
        until = visit.startsAt.addingTimeInterval(-Self.endSeconds)
        let warning = visit.startsAt.addingTimeInterval(-Self.warningSeconds)
        isLast = now >= warning
        isAsked = visit.priceNotices == 0 || (isLast && visit.priceNotices < 2)
        nextDue = isLast ? until : warning
    }
}

/// Why a visit or a series cannot be changed. Nothing has changed then.
enum SeriesRefusal: Error, Equatable {
    /// There is no such series, or it is another's.
    case notFound
    /// Of this day the series has no visit.
    case noVisit
    case ended
    /// It has an order already, which can be cancelled.
    case requested(order: UUID)
    /// Skipped, refused or missed.
    case over(SeriesVisit.State)
    /// Its time, or the time that it would be moved to, has passed.
    case past
    case tooFarAhead
    /// The series has another visit at that time, by the day that the rule names it by.
    case visitThere(day: LocalDay)
    case tooMany
    /// Its visits cost something else by now than what its customer said yes to; minor units.
    case priceChanged(total: Int, currency: String)
    /// The market takes no money in this way.
    case methodNotTaken
}

extension SeriesVisit {
    /// The visit left out. It stays so.
    func skipped(at now: Date) throws(SeriesRefusal) -> SeriesVisit {
        if state == .skipped { return self }
        try checkChangeable(at: now)
        var visit = self
        visit.state = .skipped
        return visit
    }

    /// The visit at another time. It stays so, whatever the rule says. One that was refused is planned again.
    func moved(to time: Date, at now: Date) throws(SeriesRefusal) -> SeriesVisit {
        if state != .refused { try checkChangeable(at: now) }
        guard time > now else { throw .past }
        guard time <= now.addingTimeInterval(Double(Series.longestDelayDays) * 86_400) else { throw .tooFarAhead }
        var visit = self
        visit.startsAt = time
        visit.isMoved = true
        (visit.state, visit.reason, visit.priceNotices) = (.planned, nil, 0)
        return visit
    }

    private func checkChangeable(at now: Date) throws(SeriesRefusal) {
        switch state {
        case .planned: break
        case .requested: throw order.map { .requested(order: $0) } ?? .over(state)
        case .skipped, .refused, .missed: throw .over(state)
        }
        guard startsAt > now else { throw .past }
    }
}
