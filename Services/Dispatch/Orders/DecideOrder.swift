import Contracts
import Foundation
import Messaging
import Postgres

/// Applies an admin's decision about a reported order. The order ends as completed if the provider is paid, wholly or
/// in part, and as cancelled if everything goes back.
struct DecideOrder: Sendable {
    let change: ChangeOrder

    /// Applies the decision once: a repeated message finds the order ended and changes nothing.
    ///
    /// - Throws: `PoisonMessage` if the order does not exist, is of another market or has another currency.
    func callAsFunction(_ decided: ReportDecided, at now: Date, in transaction: PostgresTransaction) async throws {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: decided.order), FindOrder(order: decided.order))
        guard let order = try rows.first?.details().order, order.market == decided.market else {
            throw PoisonMessage("a decision about no order of the market")
        }
        guard (decided.toCustomer?.currency ?? order.currency) == order.currency else {
            throw PoisonMessage("a decision in another currency")
        }
        guard order.report == decided.report else { return }
        let verdict = Order.Verdict(
            decision: Order.Verdict.Decision(decided.decision),
            toCustomer: max(Self.toCustomer(decided, of: order.total), order.unearned),
            reason: decided.reason)
        try change.bySystem(.decide(verdict), to: order, by: .admin, at: now, in: transaction)
    }

    /// Minor units; at most the price.
    private static func toCustomer(_ decided: ReportDecided, of price: Int) -> Int {
        switch decided.decision {
        case .payProvider: 0
        case .returnToCustomer: price
        case .split: min(max(decided.toCustomer?.amount ?? 0, 0), price)
        }
    }
}

extension Order {
    /// Part of the total without a receiver: the delivery of a meal that no courier picked up. Minor units.
    fileprivate var unearned: Int {
        guard provider == nil, let shares else { return 0 }
        return max(0, shares.reduce(total) { $0 - $1.amount })
    }
}

extension Order.Verdict.Decision {
    init(_ decision: ReportDecided.Decision) {
        self =
            switch decision {
            case .payProvider: .payProvider
            case .returnToCustomer: .returnToCustomer
            case .split: .split
            }
    }
}
