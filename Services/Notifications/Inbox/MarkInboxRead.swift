import Foundation
import Postgres

/// Marks some or all items of an account as read.
struct MarkInboxRead {
    let account: UUID
    /// Nil for all. Items of other accounts are ignored.
    let items: [UUID]?

    /// - Returns: the number of items that are still unread.
    func callAsFunction(_ transaction: PostgresTransaction) async throws -> Int {
        if let items {
            transaction.send(MarkItemsRead(account: account, items: items))
        } else {
            transaction.send(MarkAllItemsRead(account: account))
        }
        return try await transaction.first(CountUnreadItems(account: account)) ?? 0
    }
}
