import Foundation
import Postgres

/// The wallet is frozen, because money of the account's card was taken back at the payment provider. Nothing is paid or
/// cashed out from it until the dispute ends well or an admin unfreezes it. Top-ups and card payments stay possible.
struct WalletFreeze: Error, Hashable {
    /// - Throws: ``WalletFreeze`` when the wallet is frozen.
    static func refuse(_ account: UUID, in transaction: PostgresTransaction) async throws {
        if try await isFrozen(account, in: transaction) { throw WalletFreeze() }
    }

    static func isFrozen(_ account: UUID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.first(FindFreeze(account: account)) != nil
    }
}
