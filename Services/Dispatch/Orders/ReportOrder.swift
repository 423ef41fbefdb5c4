import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Reports an order to the market's admins. A report stops the order; a complaint (`cancels` is false) does not change
/// it.
struct ReportOrder: Sendable {
    /// Maximum number of reports per party and order.
    static let maximum = 5

    struct Input: Sendable {
        /// Id of one of the market's reasons.
        let reason: String
        let note: String?
        /// False for a complaint.
        let cancels: Bool
    }

    /// Reason why there is no report.
    enum Refusal: Error, Equatable {
        /// The market has no such reason for this party.
        case unknownReason
        /// ``Market/ReportReason/other`` needs the party's own words.
        case noteMissing
        case tooMany
    }

    let change: ChangeOrder

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Refusal``
    func callAsFunction(
        _ id: UUID, by account: UUID, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (report: StoredReport, details: OrderDetails) {
        let report = UUID.timeOrdered()
        let details: OrderDetails
        if input.cancels {
            details = try await change(of: id, by: account, at: now, in: transaction) { order, actor in
                try await check(input, order, actor, in: transaction)
                return .report(report, reason: Self.words(input))
            }
        } else {
            let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
            guard let found = try rows.first?.details(), let actor = found.order.role(of: account) else {
                throw OrderNotFound()
            }
            try await check(input, found.order, actor, in: transaction)
            details = found
        }
        guard let by = details.order.role(of: account) else { throw OrderNotFound() }
        let stored = StoredReport(
            id: report, order: id, by: by, reason: input.reason, note: input.note, cancels: input.cancels, at: now)
        transaction.send(InsertReport(report: stored))
        try transaction.publish(
            ReportOpened(
                report: report, order: id, market: details.order.market, by: OrderSnapshot.Actor(by), account: account,
                reason: input.reason, note: input.note, cancels: input.cancels,
                awaitsDecision: details.order.report == report, at: now))
        return (stored, details)
    }

    /// Runs under the order's lock, so that concurrent reports are counted.
    private func check(
        _ input: Input, _ order: Order, _ actor: OrderActor, in transaction: PostgresTransaction
    ) async throws {
        let reasons = change.markets.named(order.market)?.reportReasons(of: OrderSnapshot.Actor(actor)) ?? []
        guard reasons.contains(where: { $0.id == input.reason }) else { throw Refusal.unknownReason }
        if input.reason == Market.ReportReason.other.id, input.note == nil { throw Refusal.noteMissing }
        let earlier = try await transaction.query(ListReports(order: order.id))
        guard earlier.filter({ $0.by == actor }).count < Self.maximum else { throw Refusal.tooMany }
    }

    /// Text that the other party is told.
    private static func words(_ input: Input) -> String {
        input.reason == Market.ReportReason.other.id ? input.note ?? input.reason : input.reason
    }
}
