import Foundation
import Postgres

/// Marks messages as handled; fails the transaction if one already is (``PostgresError/isRepeat``). A mark of another
/// uncommitted transaction is waited for, so of two concurrent handlings of one message only one has an effect. Rows
/// are inserted in the order of ids, so two batches cannot deadlock. The result need not be awaited.
struct MarkHandled: Statement {
    static let sql: SQL =
        "INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id"
    let consumer: String
    /// Without duplicates.
    let messages: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, messages) }
}

/// As ``MarkHandled``, but skips messages that were handled before and returns the others. It costs the server half as
/// much again.
struct MarkUnhandled: Statement {
    static let sql: SQL = """
        INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id
        ON CONFLICT DO NOTHING RETURNING message_id
        """
    let consumer: String
    let messages: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, messages) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// As ``MarkHandled``, for one message.
struct MarkOneHandled: Statement {
    static let sql: SQL = "INSERT INTO inbox (consumer, message_id) VALUES ($1, $2)"
    let consumer: String
    let message: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, message) }
}

extension PostgresError {
    /// Whether ``MarkHandled`` or ``MarkOneHandled`` found a message that was handled before.
    var isRepeat: Bool { sqlState == .uniqueViolation && table == "inbox" }
}

/// Whether a message was handled.
struct IsHandled: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM inbox WHERE consumer = $1 AND message_id = $2)"
    let consumer: String
    let message: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, message) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Deletes marks of messages that were handled long ago, ten thousand at a time. Uses the time in their ids (version
/// 7), by which the primary key is ordered; the mark of a message that came late is kept for its full time.
struct PurgeInbox: Statement {
    /// The limit in the statement.
    static let limit = 10_000

    static let sql: SQL = """
        DELETE FROM inbox WHERE consumer = $1 AND message_id = ANY (ARRAY(
            SELECT message_id FROM inbox
            WHERE consumer = $1 AND message_id < $3 AND received_at < now() - make_interval(secs => $2)
            ORDER BY message_id LIMIT 10000))
        """
    let consumer: String
    let keepSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(consumer, keepSeconds, UUID.before(Date(timeIntervalSinceNow: -keepSeconds)))
    }
}
