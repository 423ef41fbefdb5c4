import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Brings a series up to date: plans the visits of the next days, orders those whose time has come, and sets its deadline to
/// when there is more to do.
///
/// All in one transaction, so a worker that dies has done nothing, and the deadline fires again. Each visit is a row whose
/// key is the day, so no run makes one twice.
struct AdvanceSeries: Sendable {
    static let deadlineKind = "series.ahead"
    /// Orders of one run; what is more comes in the next.
    static let maximumRequests = 20
    /// When to look again at a series that is being changed at this moment, and at one that has to wait; seconds.
    static let pause = 0.05
    static let laterPause = 60.0
    /// Why a visit waits, and why it was given up.
    static let priceRose = "price-rose"
    static let priceNotAgreed = "price-not-agreed"

    let request: RequestVisit
    let clock: MarketClock

    /// Does nothing for a series that has ended.
    func callAsFunction(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        // Accounts are locked before a series, as by who begins one, leaves or is banned: the customer's, and that of the
        // relative whom the visits are for, which the order of one asks for too.
        guard let found = try await transaction.first(FindSeries(series: id)) else { return }
        for account in [found.customer, found.wish.recipient].compactMap({ $0 }) {
            guard try await LeavingAccounts.trySharing(account, in: transaction) else {
                return again(id, at: now.addingTimeInterval(Self.pause), in: transaction)
            }
        }
        // Whoever has the row may be about to set this very deadline, so nobody waits for it here.
        let (locks, rows): ([Void], [SeriesRow]) = try await transaction.queryAll(
            TryLockSeries(series: id), FindSeries(series: id))
        guard let row = rows.first else { return }
        guard !locks.isEmpty else { return again(id, at: now.addingTimeInterval(Self.pause), in: transaction) }
        var series = try row.series()
        guard series.state == .active else { return }
        try await advance(&series, at: now, in: transaction)
    }

    /// A series whose row the caller has locked, or has made in this transaction.
    func advance(_ series: inout Series, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let clock = self.clock(series.market) else {
            throw UnknownWorkflow(market: series.market, kind: "series")
        }
        let plan = SeriesPlan(
            try series.recurrence(on: clock), plannedThrough: series.plannedThrough, at: now, ahead: Series.ahead)
        if !plan.new.isEmpty {
            let made = Set(try await transaction.query(InsertSeriesVisits(series: series.id, visits: plan.new)))
            // What was over before there was a series, nobody has waited for.
            for visit in plan.new where visit.state == .missed && visit.startsAt > series.createdAt {
                if made.contains(visit.day.text) { try drop(visit, of: series, at: now, in: transaction) }
            }
        }
        series.plannedThrough = plan.through
        transaction.send(UpdateSeries(series: series))

        let planned = try await transaction.query(
            ListPlannedVisits(series: series.id, limit: Self.maximumRequests + 1)
        ).compactMap(\.visit)
        var dues = [plan.nextDue].compactMap { $0 }
        for (index, visit) in planned.enumerated() {
            let due = visit.startsAt.addingTimeInterval(-Series.ahead)
            guard due <= now, index < Self.maximumRequests else {
                dues.append(due)
                break
            }
            let (after, look) = try await order(visit, of: series, at: now, in: transaction)
            if let look {
                // It waits for a yes; those after it may cost what was agreed to.
                dues.append(look)
            } else if after.state == .planned {
                dues.append(now.addingTimeInterval(Self.laterPause))
                break
            }
        }
        if let next = dues.min() { again(series.id, at: next, in: transaction) }
    }

    /// - Returns: the visit after it; and when to look at it again, where it waits for a yes to its price.
    private func order(
        _ visit: SeriesVisit, of series: Series, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (visit: SeriesVisit, lookAt: Date?) {
        var visit = visit
        var lookAt: Date?
        if visit.startsAt <= now {
            visit.state = .missed
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

    /// Nothing is ordered at a price that the customer has not agreed to: he or she is asked, and until a day before the visit
    /// there is time to answer.
    ///
    /// - Returns: when to look again; nil when it is not waited for any longer.
    private func wait(
        for price: Money, _ visit: inout SeriesVisit, of series: Series, at now: Date,
        in transaction: PostgresTransaction
    ) throws -> Date? {
        let risen = RisenPrice(visit, at: now)
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

    /// Its customer is the only one who can do something about it.
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
