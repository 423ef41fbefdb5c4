import Foundation
import Postgres

/// Marks the account's items as read: these, or all.
struct MarkInboxRead {
    let account: UUID
    /// Nil is all. Those of others are left alone.
    let items: [UUID]?

    /// - Returns: how many are unread then.
    func callAsFunction(_ transaction: PostgresTransaction) async throws -> Int {
        if let items {
            transaction.send(MarkItemsRead(account: account, items: items))
        } else {
            transaction.send(MarkAllItemsRead(account: account))
        }
        return try await transaction.first(CountUnreadItems(account: account)) ?? 0
    }
}
