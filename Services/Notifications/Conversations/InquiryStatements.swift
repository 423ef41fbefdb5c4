import Foundation
import Postgres

/// An inquiry as stored in its row.
struct Inquiry: Sendable {
    enum Section: String, Sendable, CaseIterable { case customers, providers }

    /// Of one account that wait for an answer at once.
    static let maximumOpen = 20

    let id: UUID
    let market: String
    let account: UUID
    let section: String
    let title: String
    let isAnswered: Bool
    let takenBy: UUID?
    let createdAt: Date
    let lastAt: Date

    static let columns: SQL = """
        i.id, i.market, i.account, i.section, i.title, i.is_answered, i.taken_by, i.created_at, i.last_at
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        account = try row.next()
        section = try row.next()
        title = try row.next()
        isAnswered = try row.next()
        takenBy = try row.next()
        createdAt = try row.next()
        lastAt = try row.next()
    }
}

/// Makes an inquiry with its conversation, unless too many of the account wait, or the account is deleted. Exact under
/// ``LockOwnRows``.
struct InsertInquiry: Statement {
    static let sql: SQL = """
        WITH allowed AS (
            SELECT WHERE (SELECT count(*) FROM inquiries WHERE account = $3 AND NOT is_answered) < $8
                AND NOT EXISTS (SELECT FROM streams WHERE account = $3 AND is_gone)
        ), conversation AS (
            INSERT INTO conversations (id, market, created_at, last_at) SELECT $1, $2, $7, $7 FROM allowed
        ), member AS (
            INSERT INTO conversation_members (conversation, account, role, name) SELECT $1, $3, $4, '' FROM allowed
        )
        INSERT INTO inquiries AS i (id, market, account, section, title, created_at, last_at)
        SELECT $1, $2, $3, $5, $6, $7, $7 FROM allowed
        RETURNING \(Inquiry.columns)
        """
    let id: UUID
    let market: String
    let account: UUID
    let role: String
    let section: Inquiry.Section
    let title: String
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, market, account, role, section.rawValue, title, now, Inquiry.maximumOpen)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

struct FindInquiry: Statement {
    static let sql: SQL = "SELECT \(Inquiry.columns) FROM inquiries AS i WHERE i.id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

/// Finds an inquiry and locks it, so that nobody takes or releases it until the commit.
struct LockInquiry: Statement {
    static let sql: SQL = "SELECT \(Inquiry.columns) FROM inquiries AS i WHERE i.id = $1 FOR NO KEY UPDATE"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

/// Lists an account's inquiries in a market, the newest first.
struct ListInquiries: Statement {
    static let sql: SQL = """
        SELECT \(Inquiry.columns) FROM inquiries AS i
        WHERE i.account = $1 AND ($2::text IS NULL OR i.market = $2) AND (i.created_at, i.id) < ($3, $4)
        ORDER BY i.created_at DESC, i.id DESC LIMIT $5
        """
    let account: UUID
    let market: String?
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, after.at, after.id, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

/// Lists a section of a market's inquiries, the last spoken in first.
struct ListDeskInquiries: Statement {
    static let sql: SQL = """
        SELECT \(Inquiry.columns) FROM inquiries AS i
        WHERE i.market = $1 AND ($2::text IS NULL OR i.section = $2) AND ($3::boolean IS NULL OR i.is_answered = $3)
            AND (i.last_at, i.id) < ($4, $5)
        ORDER BY i.last_at DESC, i.id DESC LIMIT $6
        """
    let market: String
    let section: Inquiry.Section?
    let isAnswered: Bool?
    let after: (at: Date, id: UUID)
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, section?.rawValue, isAnswered, after.at, after.id, limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

/// Notes who has the last word.
struct MarkInquiry: Statement {
    static let sql: SQL = "UPDATE inquiries SET is_answered = $2, last_at = $3 WHERE id = $1"
    let id: UUID
    let isAnswered: Bool
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, isAnswered, now) }
}

/// Gives an inquiry to an admin, unless another one has it.
struct TakeInquiry: Statement {
    static let sql: SQL = """
        UPDATE inquiries AS i SET taken_by = $3
        WHERE i.id = $1 AND i.market = $2 AND (i.taken_by IS NULL OR i.taken_by = $3)
        RETURNING \(Inquiry.columns)
        """
    let id: UUID
    let market: String
    let admin: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id, market, admin) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}

/// Takes an inquiry from whichever admin has it.
struct ReleaseInquiry: Statement {
    static let sql: SQL = """
        UPDATE inquiries AS i SET taken_by = NULL WHERE i.id = $1 AND i.market = $2 RETURNING \(Inquiry.columns)
        """
    let id: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Inquiry { try Inquiry(&row) }
}
