import Contracts
import Foundation
import Messaging
import Postgres

/// Two friends may write to each other as soon as their link holds, and until it ends (H5, N4). Each is known to the
/// other, so there is no word about phone numbers.
enum FriendTalk {
    /// The roles of the two in their conversation, by which messages and marks say whose they are.
    static let asking = "asking"
    static let asked = "asked"
    /// Friends belong to no market: their conversations are kept, and reported to admins, in that of the pilgrims.
    static let market = Market.hajji.id

    static func open(_ told: [LinkMoved], in transaction: PostgresTransaction) {
        for link in told where link.kind == .friend && link.step == .confirmed {
            transaction.send(OpenFriendTalk(link: link.link, from: link.from, to: link.to, at: link.at))
        }
    }

    /// Friendships that are told again: those have no conversation yet that held before there were any. What is not told
    /// has ended, and its end was not heard.
    static func open(_ told: LinksTold, in transaction: PostgresTransaction) {
        for link in told.links where link.market == nil {
            // Messages that were sent before names stood in them say nothing of whom each talks to.
            guard let from = link.fromName, let to = link.toName else { continue }
            transaction.send(
                OpenFriendTalk(
                    link: link.link, from: .init(account: link.from, name: from),
                    to: .init(account: link.to, name: to), at: told.range.readAt))
        }
        transaction.send(EndStaleFriendTalks(told: told))
    }

    /// Told for families, too, which have a market and no conversation.
    static func end(_ link: LinkRemoved, in transaction: PostgresTransaction) {
        guard link.market == nil else { return }
        transaction.send(EndFriendTalk(link: link.link, at: link.at))
    }
}

/// Makes the conversation of two friends, unless it is there or has ended.
struct OpenFriendTalk: Statement {
    static let sql: SQL = """
        WITH made AS (
            INSERT INTO conversations (id, market, link_id, created_at, last_at) VALUES ($1, $2, $3, $4, $4)
            ON CONFLICT DO NOTHING RETURNING id
        )
        INSERT INTO conversation_members (conversation, account, role, name)
        SELECT made.id, n.account, n.role,
            CASE WHEN EXISTS (SELECT FROM streams WHERE account = n.account AND is_gone) THEN $8 ELSE n.name END
        FROM made, unnest($5::uuid[], $6::text[], $7::text[]) AS n (account, role, name)
        """
    let link: UUID
    let from: LinkMoved.Person
    let to: LinkMoved.Person
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(UUID.timeOrdered(), FriendTalk.market, link, at)
        bindings.append([from.account, to.account])
        bindings.append([FriendTalk.asking, FriendTalk.asked])
        bindings.append([from.name, to.name])
        bindings.append(AccountSnapshot.goneName)
    }
}

/// Closes the conversation of a link. One that is not there is made without members, so that it is not opened when
/// its beginning is heard late.
struct EndFriendTalk: Statement {
    static let sql: SQL = """
        INSERT INTO conversations (id, market, link_id, created_at, last_at, ended_at) VALUES ($1, $2, $3, $4, $4, $4)
        ON CONFLICT (link_id) WHERE link_id IS NOT NULL DO UPDATE SET ended_at = EXCLUDED.ended_at
        """
    let link: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.timeOrdered(), FriendTalk.market, link, at) }
}

/// Closes conversations of friends whose link identity has no more, but none that may have begun since it was read.
struct EndStaleFriendTalks: Statement {
    static let sql: SQL = """
        UPDATE conversations SET ended_at = $5
        WHERE link_id IS NOT NULL AND ended_at IS NULL AND created_at < $4
            AND ($1::uuid IS NULL OR link_id > $1) AND ($2::uuid IS NULL OR link_id <= $2) AND link_id <> ALL ($3::uuid[])
        """
    let told: LinksTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(told.range.after, told.range.through, told.links.map(\.link), told.range.surelyKnown)
        bindings.append(told.range.readAt)
    }
}
