import Contracts
import Foundation
import Messaging
import Postgres

/// An admin has decided about a reported order: it ends as completed when the provider is paid, wholly or in part, and as
/// cancelled when all goes back.
struct DecideOrder: Sendable {
    let change: ChangeOrder

    /// Does nothing when it has ended already: the decision comes again.
    ///
    /// - Throws: `PoisonMessage` for an order that there is not, of another market, or in another currency.
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

    /// Minor units; never more than the price.
    private static func toCustomer(_ decided: ReportDecided, of price: Int) -> Int {
        switch decided.decision {
        case .payProvider: 0
        case .returnToCustomer: price
        case .split: min(max(decided.toCustomer?.amount ?? 0, 0), price)
        }
    }
}

extension Order {
    /// Of the total, what nobody is there to be paid: the way of a meal that nobody has fetched. Minor units.
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
