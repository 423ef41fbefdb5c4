import Foundation

/// Recurring visits, or parcels, that a customer orders once (O7, X2).
struct Series: Equatable, Sendable {
    enum State: String, Sendable { case active, ended }

    /// The content of each visit.
    struct Wish: Equatable, Sendable {
        /// Ids of the market's services, each once.
        var services: [String]
        var place: Order.Place
        /// The preferred partner; an admin may send another.
        var preferred: UUID?
        /// A linked relative if the visits are not for the customer.
        var recipient: UUID?
        /// The parcel that is carried from the place each time; nil for visits.
        var parcel: ParcelWish?
    }

    /// The customer's consent to payments without his or her presence: the method and the card.
    struct Consent: Equatable, Sendable {
        enum Method: String, Sendable, CaseIterable { case card, wallet }

        var method: Method
        /// The stored card; nil for the card that its owner has released for such orders.
        var card: UUID?
        var agreedAt: Date
        /// Whether an admin named the way for a caller: the card is charged only while its owner releases it for that.
        var isByDesk = false
    }

    /// The time before a visit at which it is ordered. It is below a week, because a hold on a card lapses after a
    /// week.
    static let ahead: TimeInterval = 6 * 86_400
    /// The number of active series per customer.
    static let maximum = 20
    static let maximumExceptions = 366
    /// The limit for the start of a series and for moving a visit, from now on.
    static let longestDelayDays = 366

    let id: UUID
    let market: String
    let customer: UUID
    var wish: Wish
    let rule: RecurrenceRule
    let firstDay: LocalDay
    /// The minute of the day on the market's clock.
    let minute: Int
    let exceptions: Set<LocalDay>
    /// All days up to this one are planned.
    var plannedThrough: LocalDay?
    var state: State
    let createdAt: Date
    var endedAt: Date?
    /// The reason if the customer did not end the series: a slug.
    var endedReason: String?
    /// The currency of the agreed price; nil for the market's original one.
    var currency: String?
    /// Nil for older series, which are paid by the card that the customer has released for such orders.
    var consent: Consent?
    /// The agreed price of a visit in minor units; nil in older series until their first order.
    var agreedTotal: Int?
    /// The admin who began the series for a customer on the phone.
    var orderedBy: UUID?

    /// - Throws: ``RecurrenceError/never``
    func recurrence(on clock: ZonedClock) throws(RecurrenceError) -> Recurrence {
        try Recurrence(rule, from: firstDay, minute: minute, except: exceptions, clock: clock)
    }
}

/// A visit of a series that was planned, or that the customer has changed.
struct SeriesVisit: Equatable, Sendable {
    enum State: String, Sendable {
        case planned
        /// The visit has an order, which has all further state.
        case requested
        case skipped
        /// No order could be made; the reason is stored.
        case refused
        /// The visit's time passed before it could be ordered.
        case missed
    }

    /// The day that the rule gave; it stays when the visit is moved.
    let day: LocalDay
    var startsAt: Date
    var state = State.planned
    var isMoved = false
    var order: UUID?
    var reason: String?
    /// The number of times that the customer was asked to accept a risen price.
    var priceNotices = 0
}

/// The next step for a visit that costs more than the customer agreed to.
struct PriceRiseStep: Equatable, Sendable {
    /// The time before the visit at which it is given up, in seconds.
    static let endSeconds: TimeInterval = 86_400
    /// The time before the visit at which the customer is asked for the last time, in seconds.
    static let warningSeconds: TimeInterval = 2 * 86_400

    /// The time at which the visit is given up; it is given up now if this is not after now.
    let until: Date
    /// Whether the customer is asked now, and whether for the last time.
    let isAsked: Bool
    let isLast: Bool
    /// The next time to look at the visit.
    let nextDue: Date

    /// - Parameter grace: how long after its time it can still be ordered, in seconds. A parcel is ordered at its time
    ///   and not before, so it is asked about once and waits for so long.
    init(_ visit: SeriesVisit, at now: Date, grace: TimeInterval) {
        guard grace == 0 else {
            until = visit.startsAt.addingTimeInterval(grace)
            (isAsked, isLast, nextDue) = (visit.priceNotices == 0, true, until)
            return
        }
        until = visit.startsAt.addingTimeInterval(-Self.endSeconds)
        let warning = visit.startsAt.addingTimeInterval(-Self.warningSeconds)
        isLast = now >= warning
        isAsked = visit.priceNotices == 0 || (isLast && visit.priceNotices < 2)
        nextDue = isLast ? until : warning
    }
}

/// The reasons to refuse a change of a series or a visit.
enum SeriesRefusal: Error, Equatable {
    /// The series does not exist or belongs to another account.
    case notFound
    /// The series has no visit on this day.
    case noVisit
    case ended
    /// The visit has an order already, which can be cancelled.
    case requested(order: UUID)
    /// The visit was skipped, refused or missed.
    case over(SeriesVisit.State)
    /// The visit's time, or the time that it would be moved to, has passed.
    case past
    case tooFarAhead
    /// Another visit of the series, named by its day, takes place at that time.
    case visitThere(day: LocalDay)
    case tooMany
    /// The current price is not the one that the customer accepted; in minor units.
    case priceChanged(total: Int, currency: String)
    /// The market does not accept this payment method.
    case methodNotTaken
    /// The card cannot be charged for the visits.
    case card(KnownCards.Fault)
}

extension SeriesVisit {
    /// The visit, skipped for good.
    func skipped(at now: Date) throws(SeriesRefusal) -> SeriesVisit {
        if state == .skipped { return self }
        try checkChangeable(at: now)
        var visit = self
        visit.state = .skipped
        return visit
    }

    /// The visit moved to another time for good, whatever the rule says. A refused visit is planned again.
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
