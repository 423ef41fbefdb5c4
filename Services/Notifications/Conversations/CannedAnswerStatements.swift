import Foundation
import Postgres

/// An answer to inquiries that a market's admins have ready.
struct CannedAnswer: Sendable {
    /// Of a market.
    static let maximum = 200

    let id: UUID
    let section: String
    let language: String
    let name: String
    let body: String
    let version: Int
    let changedAt: Date
    let changedBy: UUID

    static let columns: SQL = "a.id, a.section, a.language, a.name, a.body, a.version, a.changed_at, a.changed_by"

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        section = try row.next()
        language = try row.next()
        name = try row.next()
        body = try row.next()
        version = try row.next()
        changedAt = try row.next()
        changedBy = try row.next()
    }
}

/// What an admin writes of one.
struct CannedAnswerDraft: Sendable {
    let section: Inquiry.Section
    let language: String
    let name: String
    let body: String
}

struct ListCannedAnswers: Statement {
    static let sql: SQL = """
        SELECT \(CannedAnswer.columns) FROM canned_answers AS a
        WHERE a.market = $1 AND ($2::text IS NULL OR a.section = $2) AND ($3::text IS NULL OR a.language = $3)
        ORDER BY lower(a.name), a.id LIMIT $4
        """
    let market: String
    let section: Inquiry.Section?
    let language: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, section?.rawValue, language, CannedAnswer.maximum)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CannedAnswer { try CannedAnswer(&row) }
}

/// Serializes the changes of a market's answers until the commit, so that their number and their names are exact.
struct LockCannedAnswers: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('canned answers ' || $1, 0))"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
}

struct CountCannedAnswers: Statement {
    static let sql: SQL = "SELECT count(*) FROM canned_answers WHERE market = $1"
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// The answer that has a name already.
struct FindCannedAnswerName: Statement {
    static let sql: SQL = """
        SELECT id FROM canned_answers
        WHERE market = $1 AND section = $2 AND language = $3 AND lower(name) = lower($4)
        """
    let market: String
    let draft: CannedAnswerDraft
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, draft.section.rawValue, draft.language, draft.name)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct FindCannedAnswer: Statement {
    static let sql: SQL = "SELECT \(CannedAnswer.columns) FROM canned_answers AS a WHERE a.market = $1 AND a.id = $2"
    let market: String
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CannedAnswer { try CannedAnswer(&row) }
}

struct InsertCannedAnswer: Statement {
    static let sql: SQL = """
        INSERT INTO canned_answers AS a (id, market, section, language, name, body, changed_at, changed_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        RETURNING \(CannedAnswer.columns)
        """
    let id: UUID
    let market: String
    let draft: CannedAnswerDraft
    let admin: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            id, market, draft.section.rawValue, draft.language, draft.name, draft.body, now, admin)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CannedAnswer { try CannedAnswer(&row) }
}

/// Changes an answer, unless it has another version.
struct ChangeCannedAnswer: Statement {
    static let sql: SQL = """
        UPDATE canned_answers AS a SET section = $4, language = $5, name = $6, body = $7, changed_at = $8,
            changed_by = $9, version = a.version + 1
        WHERE a.market = $1 AND a.id = $2 AND ($3::bigint IS NULL OR a.version = $3)
        RETURNING \(CannedAnswer.columns)
        """
    let market: String
    let id: UUID
    let version: Int?
    let draft: CannedAnswerDraft
    let admin: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            market, id, version, draft.section.rawValue, draft.language, draft.name, draft.body, now, admin)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> CannedAnswer { try CannedAnswer(&row) }
}

struct DeleteCannedAnswer: Statement {
    static let sql: SQL = "DELETE FROM canned_answers WHERE market = $1 AND id = $2"
    let market: String
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, id) }
}
