import Contracts
import Foundation
import Postgres
import ServiceKit

/// Somebody takes an order from the board. Of any number who try, the first one has it.
struct TakeOrder: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound`` for an order that is on no board ever; ``AcceptOrder/NotVerified``; ``OrderRefusal``,
    ///   with the state that it is in once somebody else has it.
    func callAsFunction(
        _ id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        try await LeavingAccounts.refuse(account, in: transaction)
        let (_, rows, takers) = try await transaction.queryAll(
            LockOrder(order: id), FindOrder(order: id), FindTaker(order: id, account: account))
        guard var details = try rows.first?.details() else { throw OrderNotFound() }
        let order = details.order
        let (workflow, settings) = try change.terms(of: order)
        guard !workflow.rows(on: .take, by: .provider).isEmpty else { throw OrderNotFound() }
        guard order.customer.account != account else { throw OrderRefusal.wrongActor }
        guard let taker = takers.first, taker.isSubscribed || !settings.subscriptionRequired else {
            throw AcceptOrder.NotVerified()
        }
        details.order = try change.store(
            .take(Order.Party(account: account, name: taker.name)), to: order, by: .provider, at: now, in: transaction)
        return details
    }
}
