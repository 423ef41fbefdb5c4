import Foundation
import Postgres
import SeraiJSON

/// A series' row; its rule is not parsed yet.
struct SeriesRow: Sendable {
    /// The row has a value that no version of this program writes.
    struct Unreadable: Error, CustomStringConvertible {
        let series: UUID
        var description: String { "the series \(series) cannot be read" }
    }

    let id: UUID
    let market: String
    let customer: UUID
    let wish: Series.Wish
    let rule: String
    let firstDay: String
    let minute: Int
    let exceptions: [String]
    let plannedThrough: String?
    let state: String
    let createdAt: Date
    let endedAt: Date?
    let endedReason: String?
    let currency: String?
    let consent: Series.Consent?
    let agreedTotal: Int?
    let orderedBy: UUID?
    let parcel: PostgresJSON?

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        customer = try row.next()
        let services: [String] = try row.next()
        let place = Order.Place(latitude: try row.next(), longitude: try row.next(), description: try row.next())
        wish = Series.Wish(services: services, place: place, preferred: try row.next(), recipient: try row.next())
        rule = try row.next()
        firstDay = try row.next()
        minute = try row.next()
        exceptions = try row.next()
        plannedThrough = try row.next()
        state = try row.next()
        createdAt = try row.next()
        endedAt = try row.next()
        endedReason = try row.next()
        currency = try row.next()
        let method = (try row.next(String?.self)).flatMap { Series.Consent.Method(rawValue: $0) }
        let (card, agreedAt, isByDesk): (UUID?, Date?, Bool) = (try row.next(), try row.next(), try row.next())
        consent = method.map {
            Series.Consent(method: $0, card: card, agreedAt: agreedAt ?? .distantPast, isByDesk: isByDesk)
        }
        agreedTotal = try row.next()
        orderedBy = try row.next()
        parcel = try row.next()
    }

    func series() throws -> Series {
        guard let firstDay = LocalDay(firstDay), let state = Series.State(rawValue: state) else {
            throw Unreadable(series: id)
        }
        var wish = wish
        wish.parcel = try parcel.map { try JSON.stored.decode(Series.ParcelWish.self, $0.text) }
        return Series(
            id: id, market: market, customer: customer, wish: wish, rule: try RecurrenceRule(rule), firstDay: firstDay,
            minute: minute, exceptions: Set(exceptions.compactMap { LocalDay($0) }),
            plannedThrough: plannedThrough.flatMap { LocalDay($0) }, state: state, createdAt: createdAt,
            endedAt: endedAt, endedReason: endedReason, currency: currency, consent: consent, agreedTotal: agreedTotal,
            orderedBy: orderedBy)
    }
}

/// A visit's row.
struct SeriesVisitRow: Sendable {
    let day: String
    let startsAt: Date
    let state: String
    let isMoved: Bool
    let order: UUID?
    let reason: String?
    let priceNotices: Int

    init(_ row: inout RowReader) throws(PostgresError) {
        day = try row.next()
        startsAt = try row.next()
        state = try row.next()
        isMoved = try row.next()
        order = try row.next()
        reason = try row.next()
        priceNotices = try row.next()
    }

    /// Nil if the row has a value that no version of this program writes.
    var visit: SeriesVisit? {
        guard let day = LocalDay(day), let state = SeriesVisit.State(rawValue: state) else { return nil }
        return SeriesVisit(
            day: day, startsAt: startsAt, state: state, isMoved: isMoved, order: order, reason: reason,
            priceNotices: priceNotices)
    }
}
