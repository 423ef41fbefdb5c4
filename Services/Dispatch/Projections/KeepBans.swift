import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// What becomes of somebody who is banned in a market, or in all (I11): who is not found, offered anything or assigned, and
/// whose orders end.
///
/// The newest word of identity about an account and market counts, in whatever order they come: the account's version says
/// which that is. A ban that is over when it is heard of has ended nothing.
enum KeepBans {
    static func hear(in handlers: inout MessageHandlers) {
        // It locks an account before anything else.
        handlers.on(AccountBanned.self, sharesTransaction: false) { try await begin($0.message, $1) }
        handlers.on(AccountUnbanned.self) { received, transaction in
            let lifted = received.message
            transaction.send(
                LiftBan(account: lifted.account, market: lifted.market, at: lifted.at, version: lifted.version))
        }
    }

    static func begin(_ ban: AccountBanned, _ transaction: PostgresTransaction) async throws {
        let account = ban.account
        // What is beginning for the account is waited for, and what begins from here on sees the ban.
        try await LeavingAccounts.lock(account, in: transaction)
        let stored = StoreBan(
            account: account, market: ban.market, until: ban.until, at: ban.at, version: ban.version)
        guard try await transaction.first(stored) != nil else { return }
        let now = Date.thisMillisecond
        guard ban.until.map({ $0 > now }) ?? true else { return }
        transaction.send(StopAvailability(account: account, market: ban.market))
        // When the ban ends its owner opens it, and not the end.
        transaction.send(CloseRestaurants(owner: account, market: ban.market))
        // For a while they pause: each visit that cannot be ordered says why.
        if ban.until == nil {
            try await EndSeries.of(account, in: ban.market, .banned, at: now, transaction)
        }
        try await EndBannedOrder.schedule(of: account, in: ban.market, at: now, transaction)
    }
}
