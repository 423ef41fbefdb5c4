import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// A customer asks for visits that come again. What is due within the next days is ordered at once.
struct BeginSeries: Sendable {
    struct Input: Sendable {
        let market: Market
        let customer: UUID
        let wish: Series.Wish
        let rule: RecurrenceRule
        let firstDay: LocalDay
        let minute: Int
        let exceptions: Set<LocalDay>
    }

    let advance: AdvanceSeries
    let check: CheckVisit
    /// Of a market at this moment.
    let currency: @Sendable (_ market: String) -> String?

    /// - Throws: ``RecurrenceError/never``, ``SeriesRefusal``, ``OrdererRefusal``, and what the check
    ///   throws.
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
            state: .active, createdAt: now, endedAt: nil, currency: currency(input.market.id))
        let first = try series.recurrence(on: clock).next(from: max(input.firstDay, today.advanced(by: 1)))
        try await Admission.requireToOrder(input.customer, in: input.market.id, transaction)
        _ = try await transaction.query(TakeTurns(topic: .series, customer: input.customer))
        if let first { try await check(series, first.startsAt, now, transaction) }
        guard try await transaction.execute(InsertSeries(series: series)) == 1 else { throw SeriesRefusal.tooMany }
        try await advance.advance(&series, at: now, in: transaction)
        return series
    }
}
