import Foundation
import Postgres
import ServiceKit

/// A document's data without its contents.
struct DocumentRow: Sendable {
    let account: UUID
    let market: String
    let digest: [UInt8]
    /// Nil for a state that only a later version of the program knows.
    let paper: ProviderPaper?

    init(_ row: inout RowReader) throws(PostgresError) {
        let id = try row.next(UUID.self)
        account = try row.next()
        market = try row.next()
        let kind = try row.next(String.self)
        let state = Role.State(rawValue: try row.next())
        let reason = try row.next(String?.self)
        let file = FileKind(rawValue: try row.next())
        let size = try row.next(Int.self)
        digest = try row.next()
        let uploadedAt = try row.next(Date.self)
        let decidedAt = try row.next(Date?.self)
        let expiresOn = try row.next(String?.self).flatMap { CalendarDate($0) }
        let lapsedAt = try row.next(Date?.self)
        if let state, let file {
            paper = ProviderPaper(
                id: id, kind: kind, state: state, reason: reason, mediaType: file.mediaType, size: size,
                uploadedAt: uploadedAt, decidedAt: decidedAt, expiresOn: expiresOn, lapsedAt: lapsedAt)
        } else {
            paper = nil
        }
    }
}

struct ListDocuments: Statement {
    static let sql: SQL = """
        SELECT id, account, market, kind, state, reason, media_type, size, digest, uploaded_at, decided_at,
            to_char(expires_on, 'YYYY-MM-DD'), lapsed_at
        FROM documents WHERE account = $1 AND market = $2 ORDER BY kind, uploaded_at, id
        """
    let account: UUID
    let market: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> DocumentRow { try DocumentRow(&row) }
}

/// Deletes a waiting or rejected document to make room for a new one. A verified document stays until the new one is
/// verified.
struct DeleteOpenDocument: Statement {
    static let sql: SQL = """
        DELETE FROM documents WHERE account = $1 AND market = $2 AND kind = $3 AND state <> 'verified'
        """
    let account: UUID
    let market: String
    let kind: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, kind) }
}

/// Deletes the verified document that this one replaces.
struct DeleteVerifiedDocument: Statement {
    static let sql: SQL = """
        DELETE FROM documents WHERE account = $1 AND market = $2 AND kind = $3 AND id <> $4 AND state = 'verified'
        """
    let account: UUID
    let market: String
    let kind: String
    let kept: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(account, market, kind, kept) }
}

struct DeleteDocument: Statement {
    static let sql: SQL = "DELETE FROM documents WHERE id = $1"
    let document: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(document) }
}

struct InsertDocument: Statement {
    static let sql: SQL = """
        INSERT INTO documents (id, account, market, kind, state, media_type, size, digest, sealed, uploaded_at)
        VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9)
        """
    let id: UUID
    let account: UUID
    let market: String
    let kind: String
    let mediaType: String
    let size: Int
    let digest: [UInt8]
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(id, account, market, kind, mediaType, size, digest, sealed, now)
    }
}

struct DecideDocument: Statement {
    static let sql: SQL = """
        UPDATE documents SET state = $2, reason = $3, decided_at = $4, decided_by = $5, expires_on = $6::text::date,
            lapsed_at = NULL
        WHERE id = $1
        """
    let document: UUID
    let state: Role.State
    let reason: String?
    let admin: UUID
    let now: Date
    /// The last day on which a verified document holds.
    var expiresOn: CalendarDate?

    func bind(_ bindings: inout Bindings) {
        bindings.append(document, state.rawValue, reason, now, admin, expiresOn?.text)
    }
}

struct FindDocumentContents: Statement {
    static let sql: SQL = """
        SELECT kind, media_type, sealed FROM documents WHERE id = $1 AND account = $2 AND market = $3
        """
    let document: UUID
    let account: UUID
    let market: String

    struct Row: Sendable {
        let kind: String
        let mediaType: String
        let sealed: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(document, account, market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(kind: try row.next(), mediaType: try row.next(), sealed: try row.next())
    }
}
