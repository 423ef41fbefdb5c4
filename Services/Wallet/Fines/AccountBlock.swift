import Contracts
import Foundation
import Postgres

/// The account has not paid a fine in time and cannot pay for anything new in the market until it has (I11). The block
/// ends with the payment, even before that is published.
struct AccountBlock: Error, Hashable {
    /// In the fine's currency, which may be a former one of the market; only that currency pays it.
    let owed: Money

    /// - Parameter market: nil for any market, since a wallet belongs to none.
    /// - Throws: ``AccountBlock`` when the account is blocked.
    static func refuse(_ account: UUID, in market: String?, _ transaction: PostgresTransaction) async throws {
        if let owed = try await transaction.first(FindBlock(account: account, market: market)) {
            throw AccountBlock(owed: owed)
        }
    }
}
