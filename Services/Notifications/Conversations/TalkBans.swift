import Contracts
import Foundation
import Messaging
import Postgres

/// Accounts that are banned among the pilgrims, or in all markets, write to no friends (I11, N4). What others say to them they
/// still read.
enum TalkBans {
    static func begin(_ ban: AccountBanned, in transaction: PostgresTransaction) {
        store(ban.account, ban.market, isLifted: false, until: ban.until, ban.version, in: transaction)
    }

    static func lift(_ lifted: [AccountUnbanned], in transaction: PostgresTransaction) {
        for ban in lifted {
            store(ban.account, ban.market, isLifted: true, until: nil, ban.version, in: transaction)
        }
    }

    /// Bans from before they were kept here, and of a restored database.
    static func store(told: AccountsTold, in transaction: PostgresTransaction) {
        for one in told.accounts {
            for ban in one.bans {
                store(
                    one.account.account, ban.market, isLifted: false, until: ban.until, one.account.version,
                    in: transaction)
            }
        }
    }

    private static func store(
        _ account: UUID, _ market: String, isLifted: Bool, until: Date?, _ version: Int?,
        in transaction: PostgresTransaction
    ) {
        guard [FriendTalk.market, "*"].contains(market) else { return }
        transaction.send(
            StoreTalkBan(account: account, market: market, isLifted: isLifted, until: until, version: version ?? 0))
    }
}

/// Stores the newest word about a ban; an older one, or one about somebody who is gone, changes nothing.
struct StoreTalkBan: Statement {
    static let sql: SQL = """
        INSERT INTO talk_bans AS b (account, market, is_lifted, until, version)
        SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM streams WHERE account = $1 AND is_gone)
        ON CONFLICT (account, market) DO UPDATE SET
            is_lifted = EXCLUDED.is_lifted, until = EXCLUDED.until, version = EXCLUDED.version
        WHERE b.version <= EXCLUDED.version
        """
    let account: UUID
    let market: String
    let isLifted: Bool
    let until: Date?
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, isLifted, until, version) }
}

struct DeleteTalkBans: Statement {
    static let sql: SQL = "DELETE FROM talk_bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
