import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import Postgres

/// The order does not exist or is not visible to the caller.
struct OrderNotFound: Error, Equatable {}

/// This program does not know the order's market or workflow.
struct UnknownWorkflow: Error, CustomStringConvertible {
    let market: String
    let kind: String
    var description: String { "no workflow \(kind) in the market \(market)" }
}

/// Applies a trigger to an order: locks the order, asks its workflow and stores the change.
struct ChangeOrder: Sendable {
    let markets: LiveMarkets
    /// For what is wrong with one stored order and must not fail the request.
    var logger: Logger?

    /// Applies a party's trigger. It takes one round trip; the writes are sent with the commit.
    ///
    /// - Parameter check: last check of the locked order before the change.
    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal``; errors of `check`.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction,
        check: (OrderDetails) throws -> Void = { _ in }
    ) async throws -> OrderDetails {
        var isClaimed = false
        let row: OrderDetailsRow?
        if Workflow.claimProvider.contains(trigger.kind) {
            // If the workflow refuses, the rollback also undoes the claim.
            let (_, claims, rows) = try await transaction.queryAll(
                LockOrder(order: id), ClaimProvider(provider: account, order: id, kinds: Workflow.claiming),
                FindOrder(order: id))
            isClaimed = !claims.isEmpty
            row = rows.first
        } else {
            row = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id)).1.first
        }
        guard var details = try row?.details(), let actor = details.order.role(of: account) else {
            throw OrderNotFound()
        }
        try check(details)
        let change = try apply(trigger, to: details.order, by: actor, at: now)
        if change.effects.contains(.claimsProvider), !isClaimed { throw OrderRefusal.providerBusy(details.order.state) }
        try transaction.store(change, try terms(of: change.order).settings)
        details.order = change.order
        return details
    }

    /// Applies a party's trigger that depends on the locked order. Not for triggers that claim a provider.
    ///
    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal``; errors of `choose`.
    func callAsFunction(
        of id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction,
        choosing choose: (Order, OrderActor) async throws -> OrderTrigger
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard var details = try rows.first?.details(), let actor = details.order.role(of: account) else {
            throw OrderNotFound()
        }
        let change = try apply(try await choose(details.order, actor), to: details.order, by: actor, at: now)
        try transaction.store(change, try terms(of: change.order).settings)
        details.order = change.order
        return details
    }

    /// Applies the trigger of an actor who is not yet a party: a provider who takes the order, an admin, or a round. The
    /// caller holds the order's lock.
    ///
    /// - Returns: the changed order.
    /// - Throws: ``OrderRefusal``
    func store(
        _ trigger: OrderTrigger, to order: Order, by actor: OrderActor, at now: Date,
        in transaction: PostgresTransaction
    ) throws -> Order {
        let change = try apply(trigger, to: order, by: actor, at: now)
        try transaction.store(change, try terms(of: change.order).settings)
        return change.order
    }

    /// Applies a trigger of the system or of an admin's decision. The caller holds the order's lock.
    ///
    /// - Returns: whether the order changed. A late or repeated trigger changes nothing.
    @discardableResult
    func bySystem(
        _ trigger: OrderTrigger, to order: Order, by actor: OrderActor = .system, at now: Date,
        in transaction: PostgresTransaction
    ) throws -> Bool {
        do {
            let change = try apply(trigger, to: order, by: actor, at: now)
            try transaction.store(change, try terms(of: order).settings)
            return true
        } catch is OrderRefusal {
            return false
        }
    }

    /// The order's workflow and the current settings of its market.
    func terms(of order: Order) throws(UnknownWorkflow) -> (workflow: Workflow, settings: MarketSettings) {
        guard let workflow = Workflow.named(order.kind), let settings = markets.settings(of: order.market) else {
            throw UnknownWorkflow(market: order.market, kind: order.kind)
        }
        return (workflow, settings)
    }

    private func apply(
        _ trigger: OrderTrigger, to order: Order, by actor: OrderActor, at now: Date
    ) throws -> OrderChange {
        let (workflow, settings) = try terms(of: order)
        return try order.applying(trigger, by: actor, at: now, windows: settings.orderWindows, in: workflow)
    }
}

extension Workflow {
    /// Kinds of orders of which a provider holds one at a time.
    static let claiming = all.filter { $0.rows.contains { $0.effects.contains(.claimsProvider) } }.map(\.kind)

    /// Triggers that make a provider hold the order.
    static let claimProvider = Set(
        all.flatMap(\.rows).filter { $0.effects.contains(.claimsProvider) }.map(\.trigger))
}

extension MarketSettings {
    var orderWindows: OrderWindows {
        OrderWindows(
            acceptSeconds: acceptWindowSeconds, paymentSeconds: paymentWindowSeconds,
            arrivalSeconds: arrivalWindowSeconds, completionSeconds: completionWindowSeconds,
            confirmationSeconds: confirmationWindowSeconds, decisionSeconds: decisionWindowSeconds,
            searchSeconds: searchWindowSeconds, offerSeconds: offerWindowSeconds,
            assignmentSeconds: assignmentWindowSeconds, deskSeconds: deskWindowSeconds,
            depositSeconds: depositWindowSeconds, preparationSeconds: preparationWindowSeconds,
            noShowWaitSeconds: noShowWaitSeconds, phonePaymentSeconds: phonePaymentWindowSeconds,
            startEarlySeconds: startEarlySeconds)
    }
}

extension Date {
    /// This time, cut to the millisecond plus a quarter. Messages and answers carry milliseconds; the quarter keeps
    /// rounding and the database from changing the value, so that all of them show the same time.
    var cutToMillisecond: Date {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded(.down)
        return Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000)
    }
}
