import Foundation
import Messaging
import Postgres
import SeraiJSON

/// The saved places of an account (I8). A caller that names a version changes only that version; without one the last
/// write wins.
struct SavedPlaces: Sendable {
    let cipher: PersonalDataCipher

    /// - Throws: ``IdentityError/tooManyPlaces(maximum:)``, ``IdentityError/noSuchAccount``.
    func add(
        _ content: SavedPlace.Content, to account: UUID, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> SavedPlace {
        // Locked, so that of two requests at once the second counts the place of the first.
        _ = try await Accounts.lock(account, in: transaction)
        let count = try await transaction.first(CountPlaces(account: account)) ?? 0
        guard count < SavedPlace.maximumPlaces else {
            throw IdentityError.tooManyPlaces(maximum: SavedPlace.maximumPlaces)
        }
        return try insert(content, of: account, in: market, at: now, transaction)
    }

    /// Inserts the first place of a new account.
    func insert(
        _ content: SavedPlace.Content, of account: UUID, in market: String, at now: Date,
        _ transaction: PostgresTransaction
    ) throws -> SavedPlace {
        let id = UUID.timeOrdered()
        transaction.send(
            InsertPlace(id: id, account: account, market: market, sealed: try seal(content, id), now: now))
        return SavedPlace(id: id, market: market, version: 1, content: content, createdAt: now, changedAt: now)
    }

    /// - Throws: ``IdentityError/noSuchPlace``, ``IdentityError/placeChanged(version:)``.
    func change(
        _ id: UUID, of account: UUID, to content: SavedPlace.Content, version: Int?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> SavedPlace {
        let row = try await lock(id, of: account, version: version, in: transaction)
        transaction.send(UpdatePlace(place: id, sealed: try seal(content, id), now: now))
        return SavedPlace(
            id: id, market: row.market, version: row.version + 1, content: content, createdAt: row.createdAt,
            changedAt: now)
    }

    /// - Throws: ``IdentityError/noSuchPlace``, ``IdentityError/placeChanged(version:)``.
    func remove(_ id: UUID, of account: UUID, version: Int?, in transaction: PostgresTransaction) async throws {
        _ = try await lock(id, of: account, version: version, in: transaction)
        transaction.send(DeletePlace(place: id))
    }

    func open(_ row: PlaceRow) throws -> SavedPlace {
        let json = try cipher.open(bytes: row.sealed, .place, of: row.id)
        return SavedPlace(
            id: row.id, market: row.market, version: row.version,
            content: try JSON.stored.decode(SavedPlace.Content.self, json), createdAt: row.createdAt,
            changedAt: row.changedAt)
    }

    private func lock(
        _ id: UUID, of account: UUID, version: Int?, in transaction: PostgresTransaction
    ) async throws -> PlaceRow {
        guard let row = try await transaction.first(LockPlace(place: id, account: account)) else {
            throw IdentityError.noSuchPlace
        }
        guard version == nil || version == row.version else { throw IdentityError.placeChanged(version: row.version) }
        return row
    }

    private func seal(_ content: SavedPlace.Content, _ id: UUID) throws -> [UInt8] {
        try cipher.seal(bytes: try JSON.stored.encode(content), .place, of: id)
    }
}
