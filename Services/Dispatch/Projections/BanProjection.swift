import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Stores bans from identity's events and applies them in a market, or in all (I11): a banned account is not found,
/// gets no offers or orders, and its open orders end.
///
/// The newest event for an account and market counts, in any order of arrival: the account's version decides. A ban
/// that has expired before its event arrives ends nothing.
enum BanProjection {
    static func register(in handlers: inout MessageHandlers, clock: @escaping @Sendable () -> Date) {
        // Needs its own transaction, because it locks an account before other rows.
        handlers.on(AccountBanned.self, sharesTransaction: false) {
            try await begin($0.message, by: clock, $1)
        }
        handlers.on(AccountUnbanned.self) { received, transaction in
            let lifted = received.message
            transaction.send(
                LiftBan(account: lifted.account, market: lifted.market, at: lifted.at, version: lifted.version))
        }
    }

    /// - Parameter clock: read when the account is locked, which may take a while.
    static func begin(
        _ ban: AccountBanned, by clock: () -> Date, _ transaction: PostgresTransaction
    ) async throws {
        let account = ban.account
        // Waits for transactions that start something for the account; later ones see the ban.
        try await AccountDeletionGuard.lock(account, in: transaction)
        let stored = StoreBan(
            account: account, market: ban.market, until: ban.until, at: ban.at, version: ban.version)
        guard try await transaction.first(stored) != nil else { return }
        let now = clock()
        guard ban.until.map({ $0 > now }) ?? true else { return }
        transaction.send(StopAvailability(account: account, market: ban.market))
        // After the ban the owner has to open the restaurant again; it does not open by itself.
        transaction.send(CloseRestaurants(owner: account, market: ban.market))
        // During a temporary ban series pause: each visit that cannot be ordered is dropped with its reason.
        if ban.until == nil {
            try await EndSeries.of(account, in: ban.market, .banned, at: now, transaction)
        }
        try await ApplyBanToOrder.schedule(of: account, in: ban.market, at: now, transaction)
    }
}
