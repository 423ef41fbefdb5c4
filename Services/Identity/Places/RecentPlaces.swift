import Foundation
import Messaging
import Postgres
import SeraiJSON

/// A place that its owner has chosen lately, in one market (X1).
struct RecentPlace: Hashable, Sendable {
    /// Maximum of one account in one market. A new one takes the place of the oldest.
    static let maximum = 20
    /// Places of the same name within this distance are one place. Degrees, some 20 metres.
    static let sameDegrees = 0.0002

    /// Encrypted as a whole.
    struct Content: Codable, Hashable, Sendable {
        let name: String
        let address: String?
        /// Degrees in WGS 84.
        let latitude: Double
        let longitude: Double

        func isSame(as other: Content) -> Bool {
            name == other.name && abs(latitude - other.latitude) < RecentPlace.sameDegrees
                && abs(longitude - other.longitude) < RecentPlace.sameDegrees
        }
    }

    let id: UUID
    let content: Content
    let usedAt: Date
}

/// The places that an account has chosen lately. Only identity keeps them, encrypted, since together they tell where
/// somebody goes.
struct RecentPlaces: Sendable {
    let cipher: PersonalDataCipher

    /// Records that a place was chosen. One that is in the list already moves to its top.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    func use(
        _ content: RecentPlace.Content, of account: UUID, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> RecentPlace {
        // Locked, so that two uses at once do not store one place twice.
        _ = try await Accounts.lock(account, in: transaction)
        let known = try await list(of: account, in: market, in: transaction)
        let same = known.first { $0.content.isSame(as: content) }
        if let same { transaction.send(DeleteRecentPlace(id: same.id, account: account)) }
        // A new id also of a known place: by it the list is in order within one millisecond.
        let id = UUID.timeOrdered()
        let sealed = try cipher.seal(bytes: try JSON.stored.encode(content), .recentPlace, of: id)
        transaction.send(PutRecentPlace(id: id, account: account, market: market, sealed: sealed, now: now))
        for old in known.filter({ $0.id != same?.id }).dropFirst(RecentPlace.maximum - 1) {
            transaction.send(DeleteRecentPlace(id: old.id, account: account))
        }
        return RecentPlace(id: id, content: content, usedAt: now)
    }

    /// The newest first.
    func list(
        of account: UUID, in market: String, in transaction: PostgresTransaction
    ) async throws -> [RecentPlace] {
        try await transaction.query(ListRecentPlaces(account: account, market: market)).map(open)
    }

    func open(_ row: ListRecentPlaces.Row) throws -> RecentPlace {
        let json = try cipher.open(bytes: row.sealed, .recentPlace, of: row.id)
        return RecentPlace(
            id: row.id, content: try JSON.stored.decode(RecentPlace.Content.self, json),
            usedAt: row.usedAt)
    }
}

struct PutRecentPlace: Statement {
    static let sql: SQL = """
        INSERT INTO recent_places (id, account, market, sealed, used_at) VALUES ($1, $2, $3, $4, $5)
        """
    let id: UUID
    let account: UUID
    let market: String
    let sealed: [UInt8]
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, market, sealed, now) }
}

struct ListRecentPlaces: Statement {
    struct Row: Sendable {
        let id: UUID
        let sealed: [UInt8]
        let usedAt: Date
    }

    static let sql: SQL = """
        SELECT id, sealed, used_at FROM recent_places WHERE account = $1 AND market = $2 ORDER BY used_at DESC, id DESC
        """
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(id: try row.next(), sealed: try row.next(), usedAt: try row.next())
    }
}

struct DeleteRecentPlace: Statement {
    static let sql: SQL = "DELETE FROM recent_places WHERE id = $1 AND account = $2"
    let id: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id, account) }
}

/// Deletes an account's recent places in a market.
struct DeleteRecentPlaces: Statement {
    static let sql: SQL = "DELETE FROM recent_places WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}
