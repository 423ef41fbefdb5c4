import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Begins a series of visits. The visits of the next days are ordered at once.
struct BeginSeries: Sendable {
    struct Input: Sendable {
        let market: Market
        let customer: UUID
        var wish: Series.Wish
        let rule: RecurrenceRule
        let firstDay: LocalDay
        let minute: Int
        let exceptions: Set<LocalDay>
        let method: Series.Consent.Method
        /// The stored card to charge; nil with the card method stands for the card that its owner has released for such
        /// orders.
        var card: UUID?
        /// The price of a visit that the customer was shown, in minor units; nil accepts the current price.
        var total: Int?
        /// The admin who begins the series for a customer on the phone.
        var admin: UUID?
    }

    let advance: AdvanceSeries
    let check: CheckVisit
    /// The current currency of a market.
    let currency: @Sendable (_ market: String) -> String?
    var price: PriceOfSeries = { _ in nil }
    var takes: @Sendable (_ method: Series.Consent.Method, _ market: String) -> Bool = { _, _ in true }
    let usePhoto = UsePhoto()

    /// - Throws: ``RecurrenceError/never``, ``SeriesRefusal``, ``CustomerRefusal``, ``OrderCare/Refusal/notCustomer``,
    ///   and the errors of `check`.
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Series {
        guard let clock = advance.clock(input.market.id) else {
            throw UnknownWorkflow(market: input.market.id, kind: "series")
        }
        let today = clock.wall(at: now).day
        guard input.firstDay >= today else { throw SeriesRefusal.past }
        guard input.firstDay <= today.advanced(by: Series.longestDelayDays) else { throw SeriesRefusal.tooFarAhead }
        var series = Series(
            id: .timeOrdered(), market: input.market.id, customer: input.customer, wish: input.wish, rule: input.rule,
            firstDay: input.firstDay, minute: input.minute, exceptions: input.exceptions, plannedThrough: nil,
            state: .active, createdAt: now, endedAt: nil, currency: currency(input.market.id),
            consent: Series.Consent(
                method: input.method, card: input.card, agreedAt: now, isByDesk: input.admin != nil),
            orderedBy: input.admin)
        guard takes(input.method, input.market.id) else { throw SeriesRefusal.methodNotTaken }
        if input.admin != nil {
            let customer = FindCustomer(market: input.market.id, account: input.customer)
            guard try await transaction.first(customer) != nil else { throw OrderCare.Refusal.notCustomer }
        }
        let first = try series.recurrence(on: clock).next(from: max(input.firstDay, today.advanced(by: 1)))
        try await Admission.requireToOrder(input.customer, in: input.market.id, transaction)
        _ = try await transaction.query(SerializeCustomerRequests(topic: .series, customer: input.customer))
        try await CheckSeriesCard.check(
            input.method, input.card, of: input.customer, isByPhone: input.admin != nil, at: now, in: transaction)
        // The customer agrees to the current price.
        let asked = price(series)
        if let asked, let total = input.total, total != asked.amount {
            throw SeriesRefusal.priceChanged(total: asked.amount, currency: asked.currency)
        }
        series.agreedTotal = asked?.amount
        if let first { try await check(series, first.startsAt, now, transaction) }
        guard try await transaction.execute(try InsertSeries(series: series)) == 1 else { throw SeriesRefusal.tooMany }
        if let photo = series.wish.parcel?.photo {
            try await usePhoto(photo, of: series.customer, as: "parcel/photo", at: now, in: transaction)
        }
        if let admin = input.admin {
            try transaction.publish(
                SeriesManaged(
                    series: series.id, market: series.market, customer: series.customer, act: .begun,
                    details: [
                        "day": (first?.day ?? series.firstDay).text, "method": input.method.rawValue,
                    ], by: admin, at: now))
        }
        try await advance.advance(&series, at: now, in: transaction)
        return series
    }
}
