import Crypto
import Foundation
import Postgres
import SeraiJSON
import ServiceKit

/// A key by which a business's own programs act for its account (X9). 256 random bits; the database has its SHA-256, which is
/// enough for a value that nobody can guess.
struct APIKey: Sendable {
    static let prefix = "serai_live_"
    static let bytes = 32
    /// Keys of one account that are not revoked and not expired.
    static let maximum = 20
    static let days = 1...730
    static let defaultDays = 365

    /// The text that its owner keeps.
    let text: String
    let hash: [UInt8]

    static func generate() -> APIKey {
        let secret = (0..<bytes).map { _ in UInt8.random(in: .min ... .max) }
        return APIKey(text: prefix + Base64URL.encode(Data(secret)), hash: Array(SHA256.hash(data: secret)))
    }

    private init(text: String, hash: [UInt8]) {
        self.text = text
        self.hash = hash
    }

    /// Nil for a text that is no key.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), text.utf8.count <= 64 + Self.prefix.utf8.count,
            let secret = Base64URL.decode(String(text.dropFirst(Self.prefix.count))), secret.count == Self.bytes
        else { return nil }
        self.init(text: text, hash: Array(SHA256.hash(data: secret)))
    }
}

/// A key as stored in its row.
struct APIKeyRow: Sendable {
    let id: UUID
    let account: UUID
    let market: String
    let name: String
    let scopes: [String]
    let createdAt: Date
    let expiresAt: Date
    let lastUsedAt: Date?
    let revokedAt: Date?

    static let columns: SQL = "id, account, market, name, scopes, created_at, expires_at, last_used_at, revoked_at"

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        account = try row.next()
        market = try row.next()
        name = try row.next()
        scopes = try row.next()
        createdAt = try row.next()
        expiresAt = try row.next()
        lastUsedAt = try row.next()
        revokedAt = try row.next()
    }
}

/// Inserts a key unless its account has the maximum. The caller holds the account's lock.
struct InsertAPIKey: Statement {
    static let sql: SQL = """
        INSERT INTO api_keys (id, account, market, name, scopes, hash, created_at, expires_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE (SELECT count(*) FROM api_keys WHERE account = $2 AND revoked_at IS NULL AND expires_at > $7) < $9
        RETURNING \(APIKeyRow.columns)
        """
    let id: UUID
    let account: UUID
    let market: String
    let name: String
    let scopes: [String]
    let hash: [UInt8]
    let now: Date
    let expiresAt: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, account, market, name, scopes, hash, now, expiresAt, APIKey.maximum)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> APIKeyRow { try APIKeyRow(&row) }
}

/// An account's keys, the newest first; those that ended long ago are left out.
struct ListAPIKeys: Statement {
    static let sql: SQL = """
        SELECT \(APIKeyRow.columns) FROM api_keys WHERE account = $1 ORDER BY id DESC LIMIT 100
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> APIKeyRow { try APIKeyRow(&row) }
}

/// Finds a key that counts, and records its use.
struct UseAPIKey: Statement {
    static let sql: SQL = """
        UPDATE api_keys SET last_used_at = $2 WHERE hash = $1 AND revoked_at IS NULL AND expires_at > $2
        RETURNING \(APIKeyRow.columns)
        """
    let hash: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(hash, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> APIKeyRow { try APIKeyRow(&row) }
}

/// Revokes a key of an account; no row if it has no such key.
struct RevokeAPIKey: Statement {
    static let sql: SQL = """
        UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 AND account = $2
        RETURNING \(APIKeyRow.columns)
        """
    let id: UUID
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> APIKeyRow { try APIKeyRow(&row) }
}

/// The keys of an account that a ban covers: in one market, or in all.
struct ListBannedKeys: Statement {
    static let sql: SQL = """
        SELECT id FROM api_keys
        WHERE account = $1 AND ($2 = '*' OR market = $2) AND revoked_at IS NULL AND expires_at > $3
        """
    let account: UUID
    let market: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Revokes all keys of an account in a market.
struct RevokeMarketKeys: Statement {
    static let sql: SQL = """
        UPDATE api_keys SET revoked_at = $3 WHERE account = $1 AND market = $2 AND revoked_at IS NULL RETURNING id
        """
    let account: UUID
    let market: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
