import Foundation
import Postgres

/// The customer says that the provider is with him or her: then the provider's phone is not asked. It may have no signal, or be
/// wrong.
struct MeetProvider: Sendable {
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
