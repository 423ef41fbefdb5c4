import Contracts
import Foundation
import Messaging
import Postgres

/// The customer's changes of a series, and those of the desk for a caller: move or skip one visit, accept a price, change
/// the payment, or end the series.
struct ChangeSeries: Sendable {
    let check: CheckVisit
    let clock: MarketClock
    var price: PriceOfSeries = { _ in nil }
    var takes: @Sendable (_ method: Series.Consent.Method, _ market: String) -> Bool = { _, _ in true }

    /// Accepts the current price of a visit. Visits that waited for it are ordered.
    ///
    /// - Parameter total: the price that the customer was shown, in minor units.
    /// - Throws: ``SeriesRefusal``, also if the price has changed meanwhile.
    func agree(
        to total: Int, currency: String, of id: UUID, by customer: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Series {
        var (series, _) = try await lock(id, of: customer, in: transaction)
        guard let asked = price(series) else { throw SeriesRefusal.over(.refused) }
        guard asked == Money(amount: total, currency: currency) else {
            throw SeriesRefusal.priceChanged(total: asked.amount, currency: asked.currency)
        }
        (series.agreedTotal, series.currency) = (total, currency)
        transaction.send(UpdateSeriesConsent(series: series))
        transaction.set(Deadline(kind: AdvanceSeries.deadlineKind, subject: id.text, dueAt: now))
        return series
    }

    /// Changes the payment of future orders. Existing orders stay as they are; the customer can pay them by hand.
    ///
    /// - Parameter isByPhone: whether an admin changes it for a customer on the phone.
    /// - Throws: ``SeriesRefusal``
    func pay(
        by method: Series.Consent.Method, card: UUID?, of id: UUID, by customer: UUID, isByPhone: Bool = false,
        at now: Date, in transaction: PostgresTransaction
    ) async throws -> Series {
        var (series, _) = try await lock(id, of: customer, in: transaction)
        guard takes(method, series.market) else { throw SeriesRefusal.methodNotTaken }
        try await CheckSeriesCard.check(method, card, of: customer, isByPhone: isByPhone, at: now, in: transaction)
        series.consent = Series.Consent(method: method, card: card, agreedAt: now, isByDesk: isByPhone)
        transaction.send(UpdateSeriesConsent(series: series))
        return series
    }

    /// - Throws: ``SeriesRefusal``
    func skip(
        _ day: LocalDay, of id: UUID, by customer: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> SeriesVisit {
        let (series, clock) = try await lock(id, of: customer, in: transaction)
        let visit = try await visit(day, of: series, clock, in: transaction)
        let skipped = try visit.skipped(at: now)
        transaction.send(StoreSeriesVisit(series: id, visit: skipped))
        return skipped
    }

    /// - Parameter moment: a day and a minute on the market's clock.
    /// - Throws: ``SeriesRefusal``
    func move(
        _ day: LocalDay, of id: UUID, to moment: (day: LocalDay, minute: Int), by customer: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> SeriesVisit {
        let (series, clock) = try await lock(id, of: customer, in: transaction)
        let visit = try await visit(day, of: series, clock, in: transaction)
        let time = clock.moment(moment.day, minute: moment.minute)
        let moved = try visit.moved(to: time, at: now)
        try await check(series, time, now, transaction)
        try await checkFree(time, moment.day, except: day, of: series, clock, in: transaction)
        transaction.send(StoreSeriesVisit(series: id, visit: moved))
        // The visit may be due before the current deadline; an early run does no harm.
        transaction.set(Deadline(kind: AdvanceSeries.deadlineKind, subject: id.text, dueAt: now))
        return moved
    }

    /// Checks that no other visit of the series takes place at this time.
    private func checkFree(
        _ time: Date, _ day: LocalDay, except moved: LocalDay, of series: Series, _ clock: ZonedClock,
        in transaction: PostgresTransaction
    ) async throws {
        let find = FindSeriesVisitAt(series: series.id, startsAt: time, except: moved)
        if let other = try await transaction.first(find).flatMap({ LocalDay($0) }) {
            throw SeriesRefusal.visitThere(day: other)
        }
        // A visit without a row takes place when the rule says.
        guard day != moved, try await transaction.first(FindSeriesVisit(series: series.id, day: day)) == nil,
            try series.recurrence(on: clock).occurrence(on: day)?.startsAt == time
        else { return }
        throw SeriesRefusal.visitThere(day: day)
    }

    /// Ends the series. Existing orders stay and can be cancelled as orders.
    ///
    /// - Throws: ``SeriesRefusal/notFound``
    func end(
        _ id: UUID, by customer: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Series {
        var (series, _) = try await lock(id, of: customer, isEndedAllowed: true, in: transaction)
        guard series.state == .active else { return series }
        series.state = .ended
        series.endedAt = now
        transaction.send(UpdateSeries(series: series))
        transaction.send(DeletePlannedVisits(series: id))
        transaction.clearDeadline(kind: AdvanceSeries.deadlineKind, subject: id.text)
        return series
    }

    private func lock(
        _ id: UUID, of customer: UUID, isEndedAllowed: Bool = false, in transaction: PostgresTransaction
    ) async throws -> (series: Series, clock: ZonedClock) {
        let (_, rows) = try await transaction.queryAll(LockSeries(series: id), FindSeries(series: id))
        guard let series = try rows.first?.series(), series.customer == customer else { throw SeriesRefusal.notFound }
        guard let clock = self.clock(series.market) else {
            throw UnknownWorkflow(market: series.market, kind: "series")
        }
        guard isEndedAllowed || series.state == .active else { throw SeriesRefusal.ended }
        return (series, clock)
    }

    /// The visit from its row or, without a row, from the rule.
    private func visit(
        _ day: LocalDay, of series: Series, _ clock: ZonedClock, in transaction: PostgresTransaction
    ) async throws -> SeriesVisit {
        let row = try await transaction.first(FindSeriesVisit(series: series.id, day: day))
        if let visit = row?.visit { return visit }
        guard let occurrence = try series.recurrence(on: clock).occurrence(on: day) else {
            throw SeriesRefusal.noVisit
        }
        return SeriesVisit(day: day, startsAt: occurrence.startsAt)
    }
}
