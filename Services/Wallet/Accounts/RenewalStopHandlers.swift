import Contracts
import Foundation
import Messaging
import Postgres

/// Stops the subscription renewals of an account that is banned in a market or in all (I11), or was removed from the
/// market by an admin, because its owner could neither work nor change the choice. A subscription that lasts longer
/// than the ban continues, and paid time stays paid.
///
/// The end of a ban does not restore the renewal: the owner must choose it again. So a late message does no other harm.
enum RenewalStopHandlers {
    static func register(in handlers: inout MessageHandlers) {
        // The handler may lock several subscriptions of the account, and nothing else.
        handlers.on(AccountBanned.self, sharesTransaction: false) { received, transaction in
            keep(received.message, in: transaction)
        }
        handlers.on(AccountManaged.self, sharesTransaction: false) { received, transaction in
            keep(received.message, in: transaction)
        }
    }

    static func keep(_ managed: AccountManaged, in transaction: PostgresTransaction) {
        guard managed.act == .removed else { return }
        transaction.send(StopRenewals(account: managed.account, market: managed.market, until: nil))
    }

    static func keep(_ ban: AccountBanned, in transaction: PostgresTransaction) {
        transaction.send(StopRenewals(account: ban.account, market: ban.market, until: ban.until))
    }
}
