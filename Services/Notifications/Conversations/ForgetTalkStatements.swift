import Foundation
import Messaging
import Postgres

/// Takes what somebody said out of all streams that have told it, also of those who have left since. Their numbers stay.
struct BlankToldMessages: Statement {
    static let sql: SQL = """
        UPDATE stream_events SET payload = ((payload::jsonb - 'text' - 'seconds') || '{"kind": "removed"}')::text
        WHERE kind = 'message' AND payload::jsonb ->> 'sender' = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account.text) }
}

/// Locks the conversations of an account, in one order: what its owner is just saying is committed before it is blanked, and who
/// speaks later finds the account gone.
struct LockConversationsOfAccount: Statement {
    static let sql: SQL = """
        SELECT FROM conversations
        WHERE id IN (SELECT conversation FROM conversation_members WHERE account = $1) ORDER BY id FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes the inquiries of an account, with the answers.
struct DeleteInquiries: Statement {
    static let sql: SQL = "DELETE FROM conversations WHERE id IN (SELECT id FROM inquiries WHERE account = $1)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes the words and files of an account. That something was said, and when, stays.
struct BlankMessages: Statement {
    static let sql: SQL = """
        WITH own AS (
            UPDATE talk_messages SET kind = 'removed', body = NULL, seconds = NULL WHERE sender = $1
            RETURNING conversation, number
        ), copies AS (
            DELETE FROM deleted_messages AS d USING own WHERE d.conversation = own.conversation AND d.number = own.number
        )
        DELETE FROM talk_files AS f USING own WHERE f.conversation = own.conversation AND f.number = own.number
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Empties the names that an account gave to groups of friends.
struct ForgetGroupTitles: Statement {
    static let sql: SQL = """
        UPDATE conversations AS c SET title = '' FROM conversation_members AS m
        WHERE m.account = $1 AND m.role = $2 AND c.id = m.conversation AND c.group_id IS NOT NULL
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, GroupTalk.leader) }
}

struct ForgetMemberName: Statement {
    static let sql: SQL = "UPDATE conversation_members SET name = $2 WHERE account = $1"
    let account: UUID
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

/// Empties the reasons that an account gave for its reports of messages.
struct BlankMessageReports: Statement {
    static let sql: SQL = "UPDATE message_reports SET reason = '' WHERE reporter = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
