import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Brings a series up to date: plans the visits of the next days, orders the due ones and sets the deadline for the
/// next run.
///
/// A run is one transaction: if the worker dies, nothing has happened and the deadline fires again. A visit's key is
/// its day, so no run can create a visit twice.
struct AdvanceSeries: Sendable {
    static let deadlineKind = "series.ahead"
    /// The number of orders of one run; the next run continues. Visits that wait for the customer's consent are looked at beside
    /// these, some more of them.
    static let maximumRequests = 20
    static let maximumLooks = 120
    /// So long after its last visit a series ends whose rule names no further one: until then a visit that was dropped can be moved.
    static let endSeconds: Double = 86_400
    /// The delays before the next try, in seconds: when another transaction has a lock, and when a visit has to wait.
    static let pause = 0.05
    static let laterPause = 60.0
    /// The reasons of a visit that waits for the customer's consent, and of one that was given up without it.
    static let priceRose = "price-rose"
    static let priceNotAgreed = "price-not-agreed"

    let request: RequestVisit
    let clock: MarketClock

    /// Does nothing if the series has ended.
    func callAsFunction(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        // Lock order: accounts before the series, as when a series begins and as in deletions and bans. Locks the
        // customer and the relative whom the visits are for; the orders need both.
        guard let found = try await transaction.first(FindSeries(series: id)) else { return }
        for account in [found.customer, found.wish.recipient].compactMap({ $0 }) {
            guard try await AccountDeletionGuard.tryLockShared(account, in: transaction) else {
                return again(id, at: now.addingTimeInterval(Self.pause), in: transaction)
            }
        }
        // SKIP LOCKED instead of waiting: the transaction that holds the row may be about to set this very deadline.
        let (locks, rows): ([Void], [SeriesRow]) = try await transaction.queryAll(
            TryLockSeries(series: id), FindSeries(series: id))
        guard let row = rows.first else { return }
        guard !locks.isEmpty else { return again(id, at: now.addingTimeInterval(Self.pause), in: transaction) }
        var series = try row.series()
        guard series.state == .active else { return }
        try await advance(&series, at: now, in: transaction)
    }

    /// Advances a series whose row the caller has locked or created in this transaction.
    func advance(_ series: inout Series, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let clock = self.clock(series.market) else {
            throw UnknownWorkflow(market: series.market, kind: "series")
        }
        let plan = SeriesPlan(
            try series.recurrence(on: clock), plannedThrough: series.plannedThrough, at: now, ahead: series.leadSeconds,
            grace: series.graceSeconds)
        if !plan.new.isEmpty {
            let made = Set(try await transaction.query(InsertSeriesVisits(series: series.id, visits: plan.new)))
            // A visit before the series was created is dropped silently, because the customer never expected it.
            for visit in plan.new where visit.state == .missed && visit.startsAt > series.createdAt {
                if made.contains(visit.day.text) { try drop(visit, of: series, at: now, in: transaction) }
            }
        }
        series.plannedThrough = plan.through
        transaction.send(UpdateSeries(series: series))

        let planned = try await transaction.query(
            ListPlannedVisits(series: series.id, limit: Self.maximumLooks + 1)
        ).compactMap(\.visit)
        var dues = [plan.nextDue].compactMap { $0 }
        var requests = 0
        for (index, visit) in planned.enumerated() {
            let due = visit.startsAt.addingTimeInterval(-series.leadSeconds)
            guard requests < Self.maximumRequests, index < Self.maximumLooks else {
                // Not at once where nothing came of these: they would be the same again.
                dues.append(requests > 0 ? due : now.addingTimeInterval(Self.laterPause))
                break
            }
            guard due <= now else {
                dues.append(due)
                break
            }
            let (after, look) = try await order(visit, of: series, at: now, in: transaction)
            if let look {
                // This visit waits for the customer's consent; later ones may cost the agreed price and go on.
                dues.append(look)
            } else if after.state == .planned {
                dues.append(now.addingTimeInterval(Self.laterPause))
                break
            } else {
                requests += 1
            }
        }
        if dues.isEmpty {
            let last = (try await transaction.first(FindLastVisit(series: series.id)) ?? nil) ?? series.createdAt
            let due = last.addingTimeInterval(Self.endSeconds)
            guard due > now else { return end(&series, at: now, in: transaction) }
            dues.append(due)
        }
        if let next = dues.min() { again(series.id, at: next, in: transaction) }
    }

    /// Nothing more comes of it: it counts no more, and its places go after the market's months.
    private func end(_ series: inout Series, at now: Date, in transaction: PostgresTransaction) {
        series.state = .ended
        series.endedAt = now
        series.endedReason = "over"
        transaction.send(UpdateSeries(series: series))
    }

    /// - Returns: the changed visit, and the next time to look at it if it waits for the customer's consent.
    private func order(
        _ visit: SeriesVisit, of series: Series, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (visit: SeriesVisit, lookAt: Date?) {
        var visit = visit
        var lookAt: Date?
        if visit.startsAt.addingTimeInterval(series.graceSeconds) <= now {
            // A parcel whose new price nobody agreed to was not forgotten.
            let isAsked = visit.reason == Self.priceRose
            (visit.state, visit.reason) = isAsked ? (.refused, Self.priceNotAgreed) : (.missed, visit.reason)
        } else {
            switch try await request(series, visit, now, transaction) {
            case .requested(let order):
                visit.state = .requested
                visit.order = order
                visit.reason = nil
                if series.agreedTotal == nil { transaction.send(KeepAgreedTotal(series: series.id, order: order)) }
            case .priceRose(let total, let currency):
                lookAt = try wait(
                    for: Money(amount: total, currency: currency), &visit, of: series, at: now, in: transaction)
            case .refused(let reason):
                visit.state = .refused
                visit.reason = reason
            case .later: return (visit, nil)
            }
        }
        if visit.state == .refused || visit.state == .missed {
            try drop(visit, of: series, at: now, in: transaction)
        }
        transaction.send(StoreSeriesVisit(series: series.id, visit: visit))
        return (visit, lookAt)
    }

    /// Asks the customer to accept a risen price, up to a day before a visit, or for a day from a parcel's time on. Nothing
    /// is ordered at a price that the customer has not agreed to.
    ///
    /// - Returns: the next time to look at the visit; nil once the time for an answer is over.
    private func wait(
        for price: Money, _ visit: inout SeriesVisit, of series: Series, at now: Date,
        in transaction: PostgresTransaction
    ) throws -> Date? {
        let risen = PriceRiseStep(visit, at: now, grace: series.graceSeconds)
        guard risen.until > now else {
            (visit.state, visit.reason) = (.refused, Self.priceNotAgreed)
            return nil
        }
        visit.reason = Self.priceRose
        guard risen.isAsked else { return risen.nextDue }
        visit.priceNotices = risen.isLast ? 2 : 1
        try transaction.publish(
            SeriesPriceRose(
                series: series.id, customer: series.customer, market: series.market, day: visit.day.text,
                startsAt: visit.startsAt,
                agreed: Money(amount: series.agreedTotal ?? 0, currency: series.currency ?? price.currency),
                asked: price, until: risen.until, isLast: risen.isLast, at: now))
        return risen.nextDue
    }

    /// Publishes a dropped visit, so that the customer can act.
    private func drop(
        _ visit: SeriesVisit, of series: Series, at now: Date, in transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            SeriesVisitDropped(
                series: series.id, customer: series.customer, market: series.market, day: visit.day.text,
                startsAt: visit.startsAt, reason: visit.reason ?? visit.state.rawValue, at: now))
    }

    private func again(_ id: UUID, at due: Date, in transaction: PostgresTransaction) {
        transaction.set(Deadline(kind: Self.deadlineKind, subject: id.text, dueAt: due))
    }
}
