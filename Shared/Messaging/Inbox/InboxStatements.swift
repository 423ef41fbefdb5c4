import Foundation
import Postgres

/// Marks messages as handled, or fails the transaction if one was before (``PostgresError/isRepeat``). A mark that another
/// transaction has written and not committed is waited for, so of two that handle one message at once only one has its
/// effect. In the order of ids, so that two batches cannot wait for each other. Its answer need not be awaited.
struct MarkHandled: Statement {
    static let sql: SQL =
        "INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id"
    let consumer: String
    /// Each once.
    let messages: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(consumer, messages) }
}

/// As ``MarkHandled``, but leaves out those that were handled before, and returns the others. It costs the server half as
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
    /// Whether ``MarkHandled`` or ``MarkOneHandled`` found a message handled.
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

/// Forgets messages that were handled long ago, ten thousand at a time. By the time in their ids (version 7), which the
/// primary key has in order; one that came late stays for its time.
struct PurgeInbox: Statement {
    /// As the statement says.
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
