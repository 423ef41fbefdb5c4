import Contracts
import Foundation
import Messaging
import Postgres

/// The people of a group of friends write to each other (H5, N4): whoever is in the newest version of the group. Who joins
/// reads what is said from then on.
enum GroupTalk {
    static let leader = "leader"

    /// By it messages and marks say whose they are, also after somebody has left.
    static func role(of member: GroupChanged.Member) -> String {
        member.number == 0 ? leader : "member-\(member.number)"
    }

    static func isRole(_ role: String) -> Bool { role == leader || role.hasPrefix("member-") }

    static func store(_ told: [GroupChanged], in transaction: PostgresTransaction) {
        // The newest of each, in one order.
        let newest = Dictionary(told.map { ($0.group, $0) }) { $0.version < $1.version ? $1 : $0 }
        for group in newest.values.sorted(by: { $0.group.uuidString < $1.group.uuidString }) {
            // Statements of their own, so that the next one sees what others who held the locks have stored.
            transaction.send(LockGroupTalk(group: group.group))
            transaction.send(LockConversationOfGroup(group: group.group))
            transaction.send(StoreGroupTalk(group: group))
        }
    }
}

/// Serializes the versions of a group until the commit, also of one whose conversation is not there yet.
struct LockGroupTalk: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('group talk ' || $1::uuid::text, 0))"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
}

/// Waits for whoever writes in the conversation, or deletes an account of its members.
struct LockConversationOfGroup: Statement {
    static let sql: SQL = "SELECT FROM conversations WHERE group_id = $1 FOR UPDATE"
    let group: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(group) }
}

/// Stores the newest version of a group's conversation and of its members. What is older changes nothing.
struct StoreGroupTalk: Statement {
    static let sql: SQL = """
        WITH stored AS (
            INSERT INTO conversations AS c (id, market, group_id, version, title, created_at, last_at, ended_at)
            VALUES (
                $1, $2, $3, $4, CASE WHEN EXISTS (SELECT FROM streams WHERE account = $12 AND is_gone) THEN '' ELSE $5 END,
                $6, $6, $7)
            ON CONFLICT (group_id) WHERE group_id IS NOT NULL DO UPDATE SET
                version = EXCLUDED.version, title = EXCLUDED.title, ended_at = EXCLUDED.ended_at
            WHERE c.version < EXCLUDED.version
            RETURNING id, last_number
        ), gone AS (
            DELETE FROM conversation_members AS m USING stored
            WHERE m.conversation = stored.id AND m.account <> ALL ($8::uuid[])
        )
        INSERT INTO conversation_members (conversation, account, role, name, delivered, read, since)
        SELECT stored.id, n.account, n.role,
            CASE WHEN EXISTS (SELECT FROM streams WHERE account = n.account AND is_gone) THEN $11 ELSE n.name END,
            stored.last_number, stored.last_number, stored.last_number
        FROM stored, unnest($8::uuid[], $9::text[], $10::text[]) AS n (account, role, name)
        ON CONFLICT (conversation, account) DO UPDATE SET role = EXCLUDED.role, name = EXCLUDED.name
        """
    let group: GroupChanged
    func bind(_ bindings: inout Bindings) {
        bindings.append(UUID.timeOrdered(), FriendTalk.market, group.group, group.version, group.title, group.at)
        bindings.append(group.step == .ended ? group.at : nil)
        bindings.append(group.members.map(\.account))
        bindings.append(group.members.map(GroupTalk.role))
        bindings.append(group.members.map(\.name))
        bindings.append(AccountSnapshot.goneName, group.leader)
    }
}
