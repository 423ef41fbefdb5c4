import Foundation
import Postgres

struct PutAvatar: Statement {
    static let sql: SQL = """
        INSERT INTO avatars (account, name, media_type, sealed, set_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account) DO UPDATE SET
            name = excluded.name, media_type = excluded.media_type, sealed = excluded.sealed, set_at = excluded.set_at
        """
    let account: UUID
    let name: String
    let mediaType: String
    let sealed: [UInt8]
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, name, mediaType, sealed, now) }
}

struct DeleteAvatar: Statement {
    static let sql: SQL = "DELETE FROM avatars WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct FindAvatar: Statement {
    static let sql: SQL = "SELECT account, media_type, sealed FROM avatars WHERE name = $1"
    let name: String

    struct Row: Sendable {
        let account: UUID
        let mediaType: String
        let sealed: [UInt8]
    }

    func bind(_ bindings: inout Bindings) { bindings.append(name) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), mediaType: try row.next(), sealed: try row.next())
    }
}
