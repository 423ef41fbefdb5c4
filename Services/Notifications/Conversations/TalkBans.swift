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

    /// Bans from before they were kept here, and of a restored database; those that identity has no more are lifted.
    static func store(told: AccountsTold, in transaction: PostgresTransaction) {
        for one in told.accounts {
            for ban in one.bans {
                store(
                    one.account.account, ban.market, isLifted: false, until: ban.until, one.account.version,
                    in: transaction)
            }
        }
        transaction.send(LiftStaleTalkBans(told: told))
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

/// Lifts bans of the told accounts that do not hold any more, whose end was not heard.
struct LiftStaleTalkBans: Statement {
    static let sql: SQL = """
        UPDATE talk_bans AS b SET is_lifted = true, version = told.version
        FROM unnest($1::uuid[], $2::bigint[]) AS told (account, version)
        WHERE b.account = told.account AND NOT b.is_lifted AND b.version <= told.version
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS holds (account, market)
                WHERE holds.account = b.account AND holds.market = b.market)
        """
    let told: AccountsTold
    func bind(_ bindings: inout Bindings) {
        let bans = told.accounts.flatMap { one in one.bans.map { (one.account.account, $0.market) } }
        bindings.append(columnsOf: told.accounts, \.account.account, \.account.version)
        bindings.append(columnsOf: bans, \.0, \.1)
    }
}

struct DeleteTalkBans: Statement {
    static let sql: SQL = "DELETE FROM talk_bans WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
