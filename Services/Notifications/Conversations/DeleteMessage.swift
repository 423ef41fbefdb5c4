import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Deletes what a member has said, for everybody: the row stays, and says so, without words and file. The words go out of all
/// streams, and who hears the conversation is told. A copy stays only for admins who may read the conversation now.
///
/// Lock order as in ``SendMessage``.
struct DeleteMessage: Sendable {
    let hub: StreamHub

    /// - Returns: the message as it is now; what was deleted before is answered again and told nobody.
    /// - Throws: ``TalkRefusal/tooLate``; a 404 ``Problem`` for what somebody else has said.
    func callAsFunction(
        _ id: UUID, in conversation: UUID, by sender: UUID, at now: Date, _ transaction: PostgresTransaction
    ) async throws -> TalkMessage {
        let (locks, talks) = try await transaction.queryAll(
            LockConversation(conversation: conversation), FindTalk(conversation: conversation, account: sender))
        let (found, members) = try await transaction.queryAll(
            FindTalkMessage(conversation: conversation, id: id), ListTalkMembers(conversations: [conversation]))
        guard !locks.isEmpty, let said = found.first, said.sender == sender else { throw Problem.notFound }
        // None for whoever has left a group, and may still take back what the others read there. Of somebody who is gone there
        // are no words any more.
        let talk = talks.first
        guard talk != nil || GroupTalk.isRole(said.senderRole), said.kind != TalkMessage.Kind.removed.rawValue else {
            throw Problem.notFound
        }
        guard said.kind != TalkMessage.Kind.deleted.rawValue else { return said }
        guard Unsaying.isAllowed(ofFriends: talk?.isOfFriends ?? true, saidAt: said.at, at: now) else {
            throw TalkRefusal.tooLate
        }
        let delete = DeleteTalkMessage(conversation: conversation, number: said.number, now: now)
        guard let deleted = try await transaction.first(delete) else { throw Problem.notFound }
        transaction.send(BlankToldMessage(message: deleted))
        let taker = talk?.isInquiry == true ? try await transaction.first(FindInquiry(id: conversation))?.takenBy : nil
        let event = try JSON.wire.text(ToldDeletion(deleted, order: talk?.order))
        NoticeWriter.of(transaction, hub).tell(
            Set(members.map(\.account) + [taker].compactMap(\.self)).map {
                .told(.messageDeleted, event, to: $0, order: talk?.order, at: now)
            })
        return deleted
    }
}

/// A message was deleted, on the streams of all members.
struct ToldDeletion: Encodable {
    let conversation: String
    let order: String?
    let message: String
    let number: Int
    /// The sender's role.
    let from: String

    init(_ message: TalkMessage, order: UUID?) {
        conversation = message.conversation.text
        self.order = order?.text
        self.message = message.id.text
        number = message.number
        from = message.senderRole
    }
}

/// Empties a message of a conversation that the transaction has locked. What admins may read now is copied for them.
struct DeleteTalkMessage: Statement {
    static let sql: SQL = """
        WITH kept AS (
            INSERT INTO deleted_messages (conversation, number, kind, body, seconds, media_type, bytes, deleted_at)
            SELECT m.conversation, m.number, m.kind, m.body, m.seconds, f.media_type, f.bytes, $3
            FROM talk_messages AS m JOIN conversations AS c ON c.id = m.conversation
            LEFT JOIN talk_files AS f ON f.conversation = m.conversation AND f.number = m.number
            WHERE m.conversation = $1 AND m.number = $2 AND (\(OrderTalk.openReport))
        ), file AS (
            DELETE FROM talk_files WHERE conversation = $1 AND number = $2
        )
        UPDATE talk_messages SET kind = 'deleted', body = NULL, seconds = NULL WHERE conversation = $1 AND number = $2
        RETURNING \(TalkMessage.columns)
        """
    let conversation: UUID
    let number: Int
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, number, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TalkMessage { try TalkMessage(&row) }
}

/// Takes a deleted message's words out of all streams that have told it.
struct BlankToldMessage: Statement {
    static let sql: SQL = """
        UPDATE stream_events SET payload = ((payload::jsonb - 'text' - 'seconds') || '{"kind": "deleted"}')::text
        WHERE kind = 'message' AND payload::jsonb ->> 'sender' = $1 AND payload::jsonb ->> 'message' = $2
            AND payload::jsonb ->> 'conversation' = $3
        """
    let message: TalkMessage
    func bind(_ bindings: inout Bindings) {
        bindings.append(message.sender.text, message.id.text, message.conversation.text)
    }
}

/// Deletes the copies of conversations that admins may read no more.
struct PurgeDeletedMessages: Statement {
    static let sql: SQL = """
        DELETE FROM deleted_messages WHERE (conversation, number) IN (
            SELECT d.conversation, d.number FROM deleted_messages AS d JOIN conversations AS c ON c.id = d.conversation
            WHERE NOT (\(OrderTalk.openReport)) ORDER BY d.conversation, d.number LIMIT $1)
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
}
