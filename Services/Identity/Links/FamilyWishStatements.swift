import Foundation
import Postgres

struct InsertFamilyWish: Statement {
    static let sql: SQL = """
        INSERT INTO family_wishes (account, position, market, contact_kind, contact_hash, scopes)
        VALUES ($1, $2, $3, $4, $5, $6)
        """
    let account: UUID
    let position: Int
    let market: String
    let contact: NewContact.Kind
    let hash: [UInt8]
    let scopes: Set<Link.Scope>

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, position, market, contact.rawValue, hash, scopes.map(\.rawValue).sorted())
    }
}

/// An account's wishes in their order.
struct LockFamilyWishes: Statement {
    struct Row: Sendable {
        let position: Int
        let market: String
        let isEmail: Bool
        let hash: [UInt8]
        let scopes: Set<Link.Scope>
        /// Nil for one that is looked at for the first time.
        let waitsUntil: Date?
    }

    static let sql: SQL = """
        SELECT position::int8, market, contact_kind = 'email', contact_hash, scopes, waits_until FROM family_wishes
        WHERE account = $1 ORDER BY position FOR UPDATE
        """
    let account: UUID

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (position, market): (Int, String) = (try row.next(), try row.next())
        let (isEmail, hash): (Bool, [UInt8]) = (try row.next(), try row.next())
        let scopes: [String] = try row.next()
        return Row(
            position: position, market: market, isEmail: isEmail, hash: hash,
            scopes: Set(scopes.compactMap(Link.Scope.init)), waitsUntil: try row.next())
    }
}

struct WaitFamilyWish: Statement {
    static let sql: SQL = "UPDATE family_wishes SET waits_until = $3 WHERE account = $1 AND position = $2"
    let account: UUID
    let position: Int
    let until: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, position, until) }
}

struct DeleteFamilyWish: Statement {
    static let sql: SQL = "DELETE FROM family_wishes WHERE account = $1 AND position = $2"
    let account: UUID
    let position: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, position) }
}

/// The accounts that wait for somebody with one of these contacts.
struct ListWaitingFamilies: Statement {
    static let sql: SQL = """
        SELECT DISTINCT account FROM family_wishes WHERE contact_hash = ANY ($1) AND waits_until IS NOT NULL
        ORDER BY account LIMIT 100
        """
    let hashes: [[UInt8]]
    func bind(_ bindings: inout Bindings) { bindings.append(hashes) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
