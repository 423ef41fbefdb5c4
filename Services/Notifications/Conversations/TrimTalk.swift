import Foundation
import Postgres

/// Friends talk on for years: the oldest messages go. Of a conversation in which one is reported all stay
/// until an admin has looked at it: whoever is reported could write so much that the proof goes.
struct TrimTalkMessages: Statement {
    static let sql: SQL = """
        DELETE FROM talk_messages AS t WHERE t.conversation = $1 AND t.number <= $2
            AND NOT EXISTS (SELECT FROM message_reports AS r
                WHERE r.conversation = t.conversation AND r.closed_at IS NULL)
        """
    let conversation: UUID
    /// The number of the newest message.
    let newest: Int
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, newest - Talk.maximumMessages) }
}

/// The oldest messages with photos and voice notes go, too, since these take most of the room.
struct TrimTalkFiles: Statement {
    static let sql: SQL = """
        DELETE FROM talk_messages AS t WHERE t.conversation = $1
            AND t.number IN (SELECT number FROM talk_files WHERE conversation = $1 ORDER BY number DESC OFFSET $2)
            AND NOT EXISTS (SELECT FROM message_reports AS r
                WHERE r.conversation = t.conversation AND r.closed_at IS NULL)
        """
    let conversation: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(conversation, Talk.maximumFiles) }
}
