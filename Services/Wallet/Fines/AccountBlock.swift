import Contracts
import Foundation
import Postgres

/// The account has not paid a fine in time, and pays nothing new in the market until it has (I11). One who has just paid
/// is not blocked any more, whether that was told yet or not.
struct AccountBlock: Error, Hashable {
    /// In the currency of the fine, which the market may not have any more: nothing else pays it.
    let owed: Money

    /// - Parameter market: nil for any: the wallet's own money is no market's.
    /// - Throws: itself.
    static func refuse(_ account: UUID, in market: String?, _ transaction: PostgresTransaction) async throws {
        if let owed = try await transaction.first(FindBlock(account: account, market: market)) {
            throw AccountBlock(owed: owed)
        }
    }
}
