import Foundation
import Messaging
import Postgres

/// Finds a conversation of a member; no row for others.
struct FindTalk: Statement {
    static let sql: SQL = """
        SELECT \(Talk.columns) FROM conversation_members AS m JOIN conversations AS c ON c.id = m.conversation
        LEFT JOIN talk_orders AS o ON o.order_id = c.order_id
        WHERE m.conversation = $1 AND m.account = $2
            -- A token may outlive its account for a moment.
            AND NOT EXISTS (SELECT FROM streams WHERE account = $2 AND is_gone)
        """
    let conversation: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Talk { try Talk(&row) }
}

/// Lists a member's conversations, the last spoken in first: of one order, friendship or group all, else those in which
/// something was said, or could be.
struct ListTalks: Statement {
    static let sql: SQL = """
        SELECT \(Talk.columns) FROM conversation_members AS m JOIN conversations AS c ON c.id = m.conversation
        LEFT JOIN talk_orders AS o ON o.order_id = c.order_id
        WHERE m.account = $1 AND (
                c.order_id = $2 OR c.link_id = $6 OR c.group_id = $7
                OR num_nonnulls($2::uuid, $6::uuid, $7::uuid) = 0 AND (c.last_number > 0 OR $8))
            AND (c.last_at, c.id) < ($3, $4)
        ORDER BY c.last_at DESC, c.id DESC LIMIT $5
        """
    let account: UUID
    let order: UUID?
    let link: UUID?
    let group: UUID?
    /// Whether those in which nothing was said are listed, too.
    let withEmpty: Bool
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, order, after.at, after.id, limit, link, group, withEmpty)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Talk { try Talk(&row) }
}

struct ListTalkMembers: Statement {
    static let sql: SQL = """
        SELECT conversation, account, role, name, delivered, read, EXISTS (
            SELECT FROM talk_messages AS x
            WHERE x.conversation = m.conversation AND x.number > m.read AND x.sender <> m.account)
        FROM conversation_members AS m WHERE conversation = ANY ($1) ORDER BY conversation, role
        """
    let conversations: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(conversations) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMember {
        TalkMember(
            conversation: try row.next(), account: try row.next(), role: try row.next(), name: try row.next(),
            delivered: try row.next(), read: try row.next(), hasUnread: try row.next())
    }
}

/// How many messages of others an account has not read, at most a hundred of each conversation.
struct CountUnreadMessages: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(u.count), 0)::bigint
        FROM conversation_members AS m JOIN conversations AS c ON c.id = m.conversation
        CROSS JOIN LATERAL (SELECT count(*) AS count FROM (
            SELECT FROM talk_messages AS x
            WHERE x.conversation = c.id AND x.number > m.read AND x.sender <> m.account LIMIT 100) AS x) AS u
        WHERE m.account = $1 AND c.last_number > m.read
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Locks a conversation, so that its messages are numbered one after the other.
struct LockConversation: Statement {
    static let sql: SQL = "SELECT last_number, file_count FROM conversations WHERE id = $1 FOR UPDATE"
    let conversation: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (lastNumber: Int, fileCount: Int) {
        (try row.next(), try row.next())
    }
}

struct FindTalkMessage: Statement {
    static let sql: SQL = "SELECT \(TalkMessage.columns) FROM talk_messages WHERE conversation = $1 AND id = $2"
    let conversation: UUID
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMessage { try TalkMessage(&row) }
}

/// Lists messages between two numbers, the newest first.
struct ListTalkMessages: Statement {
    static let sql: SQL = """
        SELECT \(TalkMessage.columns) FROM talk_messages WHERE conversation = $1 AND number < $2 AND number > $4
        ORDER BY number DESC LIMIT $3
        """
    let conversation: UUID
    let below: Int
    let since: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, below, limit, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMessage { try TalkMessage(&row) }
}

/// Lists what an account has said in all conversations, the newest first.
struct ListOwnMessages: Statement {
    static let sql: SQL = """
        SELECT \(TalkMessage.columns) FROM talk_messages WHERE sender = $1 AND (at, id) < ($2, $3)
        ORDER BY at DESC, id DESC LIMIT $4
        """
    let account: UUID
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, after.at, after.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMessage { try TalkMessage(&row) }
}

/// Inserts the next message of a conversation that the transaction has locked.
struct InsertTalkMessage: Statement {
    static let sql: SQL = """
        WITH numbered AS (
            UPDATE conversations SET last_number = last_number + 1, last_at = $8,
                file_count = file_count + CASE WHEN $5 IN ('photo', 'voice') THEN 1 ELSE 0 END
            WHERE id = $1 RETURNING last_number
        )
        INSERT INTO talk_messages (conversation, number, id, sender, sender_role, kind, body, seconds, at, is_forwarded)
        SELECT $1, last_number, $2, $3, $4, $5, $6, $7, $8, $9 FROM numbered
        RETURNING \(TalkMessage.columns)
        """
    let conversation: UUID
    let id: UUID
    let sender: UUID
    let senderRole: String
    let content: TalkContent
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            conversation, id, sender, senderRole, content.kind.rawValue, content.text, content.seconds, now,
            content.isForwarded)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMessage { try TalkMessage(&row) }
}

struct InsertTalkFile: Statement {
    static let sql: SQL =
        "INSERT INTO talk_files (conversation, number, media_type, bytes) VALUES ($1, $2, $3, $4)"
    let conversation: UUID
    let number: Int
    let file: TalkContent.File
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, number, file.mediaType, file.bytes) }
}

struct ReadTalkFile: Statement {
    static let sql: SQL = """
        SELECT f.media_type, f.bytes FROM talk_messages AS t
        JOIN talk_files AS f ON f.conversation = t.conversation AND f.number = t.number
        WHERE t.conversation = $1 AND t.id = $2 AND t.number > $3
        """
    let conversation: UUID
    let id: UUID
    let since: Int
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, id, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkContent.File {
        TalkContent.File(mediaType: try row.next(), bytes: try row.next())
    }
}

/// Remembers that a member was warned, and wants to go on.
struct MarkWarned: Statement {
    static let sql: SQL = """
        UPDATE conversation_members SET was_warned = true WHERE conversation = $1 AND account = $2 AND NOT was_warned
        """
    let conversation: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, account) }
}

/// Raises a member's marks, at most to the last number; no row if neither rises.
struct RaiseMarks: Statement {
    static let sql: SQL = """
        UPDATE conversation_members AS m SET read = greatest(m.read, least($3, c.last_number)),
            delivered = greatest(m.delivered, least($4, c.last_number), least($3, c.last_number))
        FROM conversations AS c
        WHERE c.id = m.conversation AND m.conversation = $1 AND m.account = $2
            AND (m.read < least($3, c.last_number) OR m.delivered < least($4, c.last_number))
        RETURNING m.role, m.delivered, m.read
        """
    let conversation: UUID
    let account: UUID
    let read: Int
    let delivered: Int
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, account, read, delivered) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (role: String, delivered: Int, read: Int) {
        (try row.next(), try row.next(), try row.next())
    }
}
