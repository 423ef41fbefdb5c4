import Foundation
import Postgres

/// Records that the customer has met the provider. The provider's phone, which may have no signal or be wrong, is then
/// not asked.
struct RecordMeeting: Sendable {
    let change: ChangeOrder

    /// - Throws: ``OrderNotFound`` for strangers; ``OrderRefusal``
    func callAsFunction(
        _ order: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: order), FindOrder(order: order))
        guard let details = try rows.first?.details(), let actor = details.order.role(of: account) else {
            throw OrderNotFound()
        }
        guard actor == .customer else { throw OrderRefusal.wrongActor }
        guard details.order.canMeet, let provider = details.order.provider else {
            throw OrderRefusal.wrongState(details.order.state)
        }
        transaction.send(StoreMeeting(order: order, provider: provider.account, at: now))
        return details
    }
}
