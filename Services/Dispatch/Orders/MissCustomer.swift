import Contracts
import Foundation
import Matching
import Postgres

/// One party is there, has waited as long as the market asks, and the other is not. The order ends; where the workflow says so,
/// a customer who was not there pays for the way, or for what was brought.
///
/// A provider's word costs the customer money, so the provider's phone has to have said twice where it is, the last time a moment
/// ago, and both times at the order's place: a single place may be a mistake, or invented. A customer's word costs nobody
/// anything, but the provider's way is for nothing: it waits for the time of arrival that the customer was shown.
struct MissCustomer: Sendable {
    let change: ChangeOrder
    let presence: Presence

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Presence/NotThere``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await change(of: order, by: account, at: now, in: transaction) { order, actor in
            let (workflow, settings) = try change.terms(of: order)
            let trigger = actor == .customer ? OrderTrigger.missProvider : .missCustomer(fine: .none)
            // Asked of the workflow first: who may not say so, or not yet, is told that, wherever he or she is.
            _ = try order.applying(trigger, by: actor, at: now, windows: settings.orderWindows, in: workflow)
            if actor == .customer {
                try await requireLate(order, settings, now, in: transaction)
                return trigger
            }
            try await presence.prove(order, settings, at: now, in: transaction)
            guard workflow.fines(.missCustomer, by: actor, in: order.state) else { return trigger }
            let way = try await transaction.first(ReadWay(order: order.id))
            return .missCustomer(
                fine: WayFine(
                    metres: order.finedMetres(of: way), rates: settings.lateRates(of: order), price: order.total))
        }
    }

    /// - Throws: ``OrderRefusal/tooEarly(until:)``
    private func requireLate(
        _ order: Order, _ settings: MarketSettings, _ now: Date, in transaction: PostgresTransaction
    ) async throws {
        // A care partner comes at the visit's time: nobody was shown a way.
        guard order.state == .accepted, order.homeCare == nil, let provider = order.provider?.account else { return }
        let (ways, whereabouts) = try await transaction.queryAll(
            ReadWay(order: order.id), FindWhereabouts(provider: provider))
        let last = whereabouts.first?.last
        let isFresh = last.map { now.timeIntervalSince($0.at) <= presence.freshness } ?? false
        let until = order.awaitedUntil(
            start: ways.first?.start ?? last, last: isFresh ? last : nil, radius: settings.searchRadiusMetres,
            speed: settings.speedMetresPerMinute, at: now)
        if let until, now < until { throw OrderRefusal.tooEarly(until: until) }
    }
}
