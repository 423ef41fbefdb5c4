import Foundation
import Postgres

/// Money of the account's card was taken back at the payment provider: nothing is paid from its wallet, nor cashed out,
/// until that has ended well or an admin has looked at it. It can be topped up, and a card pays as always.
struct WalletFreeze: Error, Hashable {
    /// - Throws: itself.
    static func refuse(_ account: UUID, in transaction: PostgresTransaction) async throws {
        if try await isFrozen(account, in: transaction) { throw WalletFreeze() }
    }

    static func isFrozen(_ account: UUID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.first(FindFreeze(account: account)) != nil
    }
}
