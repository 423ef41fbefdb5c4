import Contracts
import Foundation
import Postgres
import ServiceKit

/// Offers several orders to providers, each order once. A provider gets one order, or several meals of one restaurant.
///
/// Lock order: all orders first, without waiting, then the providers. So neither two rounds, nor a round and a person's
/// request, can wait for each other in a circle.
struct OfferOrders: Sendable {
    /// Maximum number of orders per transaction.
    static let limit = 20

    struct Pair: Hashable, Sendable {
        let order: UUID
        let provider: UUID
    }

    let change: ChangeOrder

    /// - Parameter clock: read again after the providers are claimed, and the offers begin then. A provider's earlier
    ///   offer had ended before the claim, but perhaps after this call began.
    /// - Returns: the pairs that are offered once this commits. No offer is made for an order that is not open any more
    ///   or is locked by another transaction, nor to a provider who is not free or was asked for the order before.
    func callAsFunction(
        _ pairs: [Pair], in market: Market, needsSubscription: Bool, at clock: @Sendable () -> Date,
        in transaction: PostgresTransaction
    ) async throws -> Set<Pair> {
        // Before any row lock: a deletion in progress has its account locked.
        let leaving = try await AccountDeletionGuard.deleted(among: pairs.map(\.provider), in: transaction)
        let wanted = pairs.filter { !leaving.contains($0.provider) }
        guard !wanted.isEmpty else { return [] }
        let ids = wanted.map(\.order)
        let (locked, rows) = try await transaction.queryAll(TryLockOrders(orders: ids), FindOrders(orders: ids))
        let held = Set(locked)
        var orders: [UUID: Order] = [:]
        for row in rows where held.contains(row.id) {
            let order = try row.details().order
            let trigger = OrderTrigger.offer(order.customer)
            let isOpen = Workflow.named(order.kind)?.rows(on: .offer, by: .system).contains { $0.from == order.state }
            if order.market == market.id, isOpen == true, !order.isTooLate(for: trigger, at: clock()) {
                orders[order.id] = order
            }
        }
        let open = wanted.filter { pair in
            // Nobody carries an own order, nor a meal of an own restaurant.
            orders[pair.order].map { ![$0.customer.account, $0.merchant?.account].contains(pair.provider) } ?? false
        }
        guard !open.isEmpty else { return [] }
        let meals = orders.compactMapValues { $0.food?.restaurant }
        var claims: [ClaimCouriers.Claim] = []
        let single = open.filter { meals[$0.order] == nil }
        if !single.isEmpty {
            let found = try await transaction.query(
                ClaimProviders(
                    market: market.id, pairs: single.map { ($0.order, $0.provider) },
                    needsSubscription: needsSubscription))
            claims = found.map { ClaimCouriers.Claim(order: $0.order, provider: $0.provider, name: $0.name) }
        }
        if single.count < open.count {
            claims += try await ClaimCouriers()(
                open.filter { meals[$0.order] != nil }, of: meals, in: market, needsSubscription: needsSubscription,
                in: transaction)
        }
        return try offer(orders, claims, at: clock(), in: transaction)
    }

    private func offer(
        _ orders: [UUID: Order], _ claims: [ClaimCouriers.Claim], at now: Date, in transaction: PostgresTransaction
    ) throws -> Set<Pair> {
        var made: Set<Pair> = []
        var late: [ClaimCouriers.Claim] = []
        for claim in claims {
            guard let order = orders[claim.order] else { continue }
            // The window of this order ended while the providers were claimed.
            if order.isTooLate(for: .offer(order.customer), at: now) {
                late.append(claim)
                continue
            }
            _ = try change.store(
                .offer(Order.Party(account: claim.provider, name: claim.name)), to: order, by: .system, at: now,
                in: transaction)
            made.insert(Pair(order: claim.order, provider: claim.provider))
        }
        // After the offers, since these may have added meals to the same courier's trip.
        for claim in late {
            guard let order = orders[claim.order] else { continue }
            transaction.free(claim.provider, of: order, hadWork: false)
        }
        return made
    }
}
