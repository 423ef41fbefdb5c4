import Contracts
import Foundation
import Matching
import Postgres

/// Reports a no-show: one party is at the place and has waited for `noShowWaitSeconds`, the other is not there. The
/// order ends; where the workflow says so, an absent customer pays for the way or for the delivered goods.
///
/// A provider's report costs the customer money, so the provider's phone must have reported the order's place twice,
/// the last time a moment ago; a single position may be wrong or invented. A customer's report costs nothing, but makes
/// the provider's way useless, so it has to wait for the arrival time that the customer was shown.
struct ReportNoShow: Sendable {
    let change: ChangeOrder
    let presence: Presence

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Presence/NotAtPlace``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            let (workflow, settings) = try change.terms(of: order)
            let trigger = actor == .customer ? OrderTrigger.missProvider : .missCustomer(fine: .none)
            // Asks the workflow first, so that a caller who may not report a no-show, or not yet, gets that answer
            // wherever the caller is.
            _ = try order.applying(trigger, by: actor, at: now, windows: settings.orderWindows, in: workflow)
            if actor == .customer {
                try await requireLate(order, settings, now, in: transaction)
                return trigger
            }
            try await presence.prove(order, settings, at: now, in: transaction)
            guard workflow.fines(.missCustomer, by: actor, in: order.state) else { return trigger }
            let way = try await transaction.first(ReadFullOdometer(order: order.id))
            return .missCustomer(
                fine: LateCancellationFee(
                    metres: order.finedMetres(ofStored: way, logger: change.logger),
                    rates: settings.lateRates(of: order), price: order.total))
        }
    }

    /// - Throws: ``OrderRefusal/tooEarly(until:)``
    private func requireLate(
        _ order: Order, _ settings: MarketSettings, _ now: Date, in transaction: PostgresTransaction
    ) async throws {
        // A care partner comes at the visit's time; the customer was shown no arrival time.
        guard order.state == .accepted, order.homeCare == nil, let provider = order.provider?.account else { return }
        let (ways, whereabouts) = try await transaction.queryAll(
            ReadFullOdometer(order: order.id), FindProviderPositionState(provider: provider))
        let last = whereabouts.first { $0.isSettled }?.last
        let isFresh = last.map { now.timeIntervalSince($0.at) <= presence.freshness } ?? false
        let until = order.earliestProviderNoShow(
            start: ways.first?.start ?? last, last: isFresh ? last : nil, radius: settings.searchRadiusMetres,
            speed: settings.speedMetresPerMinute, at: now)
        if let until, now < until { throw OrderRefusal.tooEarly(until: until) }
    }
}
