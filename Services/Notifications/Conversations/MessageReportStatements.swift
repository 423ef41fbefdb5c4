import Foundation
import Postgres

/// Inserts the report of a message; a second one of the same reader changes nothing.
struct InsertMessageReport: Statement {
    static let sql: SQL = """
        INSERT INTO message_reports (id, market, conversation, number, reporter, reason, made_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (conversation, number, reporter) DO NOTHING
        """
    let id: UUID
    let market: String
    let conversation: UUID
    let number: Int
    let reporter: UUID
    let reason: String
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, market, conversation, number, reporter, reason, now)
    }
}

/// A report as stored in its row, with the order of the conversation.
struct MessageReport: Sendable {
    let id: UUID
    let conversation: UUID
    let order: UUID?
    let number: Int
    let reporterRole: String
    let reason: String
    let madeAt: Date

    static let columns: SQL =
        "r.id, r.conversation, c.order_id, r.number, coalesce(m.role, ''), r.reason, r.made_at"
    static let tables: SQL = """
        message_reports AS r JOIN conversations AS c ON c.id = r.conversation
        LEFT JOIN conversation_members AS m ON m.conversation = r.conversation AND m.account = r.reporter
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        conversation = try row.next()
        order = try row.next()
        number = try row.next()
        reporterRole = try row.next()
        reason = try row.next()
        madeAt = try row.next()
    }
}

/// Lists a market's reports at which no admin has looked, the oldest first.
struct ListMessageReports: Statement {
    static let sql: SQL = """
        SELECT \(MessageReport.columns) FROM \(MessageReport.tables)
        WHERE r.market = $1 AND r.closed_at IS NULL
            AND ($2::timestamptz IS NULL OR (r.made_at, r.id) > ($2, $3::uuid))
        ORDER BY r.made_at, r.id LIMIT $4
        """
    let market: String
    let after: (at: Date, id: UUID)?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, after?.at, after?.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MessageReport { try MessageReport(&row) }
}

/// Finds a report at which no admin has looked; no row for another market's.
struct FindMessageReport: Statement {
    static let sql: SQL = """
        SELECT \(MessageReport.columns) FROM \(MessageReport.tables)
        WHERE r.id = $1 AND r.market = $2 AND r.closed_at IS NULL
        """
    let id: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MessageReport { try MessageReport(&row) }
}

/// Closes a report and tells who sent the reported message; no row if it is closed, or of another market.
struct CloseMessageReport: Statement {
    static let sql: SQL = """
        UPDATE message_reports SET closed_at = $4, closed_by = $3
        WHERE id = $1 AND market = $2 AND closed_at IS NULL
        RETURNING (
            SELECT sender FROM talk_messages AS said
            WHERE said.conversation = message_reports.conversation AND said.number = message_reports.number)
        """
    let id: UUID
    let market: String
    let admin: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, market, admin, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// A conversation of an order or of friends for admins, and whether they may read it.
struct OrderTalk: Sendable {
    let id: UUID
    /// Nil for one of friends.
    let order: UUID?
    let lastNumber: Int
    let lastAt: Date
    /// Whether a report of the order, or of a message in it, is open.
    let isReported: Bool

    static let columns: SQL = """
        c.id, c.order_id, c.last_number, c.last_at, \(openReport)
        """
    /// ``isReported`` of a row `c` of conversations.
    static let openReport: SQL = """
        EXISTS (SELECT FROM talk_reports AS r WHERE r.order_id = c.order_id AND r.closed_at IS NULL)
            OR EXISTS (SELECT FROM message_reports AS r WHERE r.conversation = c.id AND r.closed_at IS NULL)
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        order = try row.next()
        lastNumber = try row.next()
        lastAt = try row.next()
        isReported = try row.next()
    }
}

struct ListOrderTalks: Statement {
    static let sql: SQL = """
        SELECT \(OrderTalk.columns) FROM conversations AS c WHERE c.order_id = $2 AND c.market = $1 ORDER BY c.id
        """
    let market: String
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderTalk { try OrderTalk(&row) }
}

struct FindOrderTalk: Statement {
    static let sql: SQL = """
        SELECT \(OrderTalk.columns) FROM conversations AS c
        WHERE c.id = $2 AND c.market = $1 AND num_nonnulls(c.order_id, c.link_id, c.group_id) = 1
        """
    let market: String
    let conversation: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, conversation) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderTalk { try OrderTalk(&row) }
}
