import Contracts
import Foundation
import Messaging
import Postgres

/// Who is banned in a market, or in all (I11), or was taken out of it by an admin, has no use for a subscription there: it
/// is not renewed at a time when its owner could neither work nor say otherwise. One whose paid time ends after the ban goes
/// on. What is paid stays paid.
///
/// That the ban is lifted brings no wish back: it is for the owner to say again. So a word that comes late does no more
/// harm than that.
enum HearExclusions {
    static func hear(in handlers: inout MessageHandlers) {
        // It may lock several subscriptions of its account, and nothing else.
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
