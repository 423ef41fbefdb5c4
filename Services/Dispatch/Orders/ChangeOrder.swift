import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// There is no such order, or it is not the caller's.
struct OrderNotFound: Error, Equatable {}

/// The order's market or workflow is none that this program knows.
struct UnknownWorkflow: Error, CustomStringConvertible {
    let market: String
    let kind: String
    var description: String { "no workflow \(kind) in the market \(market)" }
}

/// Brings a trigger to an order: locks it, asks its workflow, and stores what follows.
struct ChangeOrder: Sendable {
    let markets: LiveMarkets

    /// By one of its parties. One round trip; what it writes goes out with the commit.
    ///
    /// - Parameter check: a last look at the order before it changes.
    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal``; what `check` throws.
    func callAsFunction(
        _ trigger: OrderTrigger, of id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction,
        check: (OrderDetails) throws -> Void = { _ in }
    ) async throws -> OrderDetails {
        var isClaimed = false
        let row: OrderDetailsRow?
        if Workflow.claimProvider.contains(trigger.kind) {
            // The claim is undone with everything else when the workflow refuses.
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

    /// By one of its parties, with a trigger that follows from the locked order. None that claims a provider.
    ///
    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal``; what `choose` throws.
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

    /// By somebody who may and is no party yet, to an order whose lock is held.
    ///
    /// - Returns: the order after it.
    /// - Throws: ``OrderRefusal``
    func store(
        _ trigger: OrderTrigger, to order: Order, by actor: OrderActor, at now: Date,
        in transaction: PostgresTransaction
    ) throws -> Order {
        let change = try apply(trigger, to: order, by: actor, at: now)
        try transaction.store(change, try terms(of: change.order).settings)
        return change.order
    }

    /// By the system, or by an admin's decision, to an order whose lock is held.
    ///
    /// - Returns: whether it was of use. Late and repeated ones are not, and change nothing.
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

    /// What an order goes by: its workflow, and its market's settings of this moment.
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
    /// The kinds of orders that a provider holds one at a time.
    static let claiming = all.filter { $0.rows.contains { $0.effects.contains(.claimsProvider) } }.map(\.kind)

    /// The triggers after which a provider holds the order.
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
    /// Now, a quarter into its millisecond: messages and answers are written in milliseconds, and neither rounding nor
    /// the way through the database makes another one of it. So all of them say the same.
    static var thisMillisecond: Date {
        let milliseconds = (Date().timeIntervalSince1970 * 1_000).rounded(.down)
        return Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000)
    }
}
