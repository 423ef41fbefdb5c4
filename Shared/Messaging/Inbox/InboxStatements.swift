import Foundation
import Postgres

/// Marks messages as handled and returns those that were not before. A mark that another transaction has written and
/// not committed is waited for, so of two that handle one message at once only one has its effect. In the order of
/// ids, so that two batches cannot wait for each other.
struct MarkHandled: Statement {
    static let sql: StaticString = """
        INSERT INTO inbox (consumer, message_id) SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id
        ON CONFLICT DO NOTHING RETURNING message_id
        """
    let consumer: String
    let messages: [UUID]
    func bind(_ bindings: inout Bindings) {
        bindings.append(consumer)
        bindings.append(messages)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// As ``MarkHandled`` for one message: the sort of a set is a third of its cost.
struct MarkOneHandled: Statement {
    static let sql: StaticString = """
        INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING message_id
        """
    let consumer: String
    let message: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(consumer)
        bindings.append(message)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct PurgeInbox: Statement {
    static let sql: StaticString = """
        DELETE FROM inbox WHERE (consumer, message_id) IN (
            SELECT consumer, message_id FROM inbox
            WHERE consumer = $1 AND received_at < now() - make_interval(secs => $2) LIMIT 10000)
        """
    let consumer: String
    let keepSeconds: Double
    func bind(_ bindings: inout Bindings) {
        bindings.append(consumer)
        bindings.append(keepSeconds)
    }
}
