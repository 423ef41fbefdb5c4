import Contracts
import Foundation
import Messaging
import Postgres

/// What a customer changes of his or her series: one visit is moved or left out, or there are no more.
struct ChangeSeries: Sendable {
    let check: CheckVisit
    let clock: MarketClock
    var price: PriceOfSeries = { _ in nil }
    var takes: @Sendable (_ method: Series.Consent.Method, _ market: String) -> Bool = { _, _ in true }

    /// The customer agrees to what a visit costs now. Those that waited for it are ordered.
    ///
    /// - Parameter total: which the customer was shown; minor units.
    /// - Throws: ``SeriesRefusal``, also when it costs something else by now.
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

    /// The customer wants it paid otherwise from now on. Orders that there are stay as they are, and can be paid by hand.
    ///
    /// - Throws: ``SeriesRefusal``
    func pay(
        by method: Series.Consent.Method, card: UUID?, of id: UUID, by customer: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Series {
        var (series, _) = try await lock(id, of: customer, in: transaction)
        guard takes(method, series.market) else { throw SeriesRefusal.methodNotTaken }
        series.consent = Series.Consent(method: method, card: card, agreedAt: now)
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
        // It may have to be ordered sooner than the deadline knows; looking too early does no harm.
        transaction.set(Deadline(kind: AdvanceSeries.deadlineKind, subject: id.text, dueAt: now))
        return moved
    }

    /// No two visits of a series are at one time.
    private func checkFree(
        _ time: Date, _ day: LocalDay, except moved: LocalDay, of series: Series, _ clock: ZonedClock,
        in transaction: PostgresTransaction
    ) async throws {
        let find = FindSeriesVisitAt(series: series.id, startsAt: time, except: moved)
        if let other = try await transaction.first(find).flatMap({ LocalDay($0) }) {
            throw SeriesRefusal.visitThere(day: other)
        }
        // One that has no row yet is where the rule has it.
        guard day != moved, try await transaction.first(FindSeriesVisit(series: series.id, day: day)) == nil,
            try series.recurrence(on: clock).occurrence(on: day)?.startsAt == time
        else { return }
        throw SeriesRefusal.visitThere(day: day)
    }

    /// Orders that were made stay, and are cancelled as orders.
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

    /// As its row has it, else as the rule gives it.
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
