import Contracts
import Foundation
import Postgres
import Synchronization

/// Places of people on the move, until they are written; safe from any thread.
final class LivePlaces: Sendable {
    /// The maximum of accounts that wait at a time.
    static let limit = 20_000

    private let buffer = Mutex(PlaceBuffer(limit: limit))

    /// - Returns: false if the buffer is full, since the database has accepted nothing for a while.
    func put(_ change: PlaceBuffer.Change, of account: UUID) -> Bool {
        buffer.withLock { $0.put(change, of: account) }
    }

    func takeAll() -> [UUID: PlaceBuffer.Change] { buffer.withLock { $0.takeAll() } }

    func putBack(_ changes: [UUID: PlaceBuffer.Change]) { buffer.withLock { $0.putBack(changes) } }
}

/// Writes the newest places of many people at once, and finds out who may see each: who is a friend is asked with every
/// write, so that nobody sees a place after the link is gone, or after its owner has hidden it.
struct MoveSharedPlaces: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    func callAsFunction(
        _ changes: [UUID: PlaceBuffer.Change], at now: Date
    ) async throws -> [FriendPlaces.Place] {
        var moved: [UUID: (place: SharedPlace, at: Date)] = [:]
        var hidden: [UUID] = []
        for (account, change) in changes {
            switch change {
            case .moved(let place, let at): moved[account] = (place, at)
            case .hidden: hidden.append(account)
            }
        }
        return try await move(moved, at: now) + hide(hidden, at: now)
    }

    private func move(
        _ moved: [UUID: (place: SharedPlace, at: Date)], at now: Date
    ) async throws -> [FriendPlaces.Place] {
        guard !moved.isEmpty else { return [] }
        let rows = Array(moved)
        let statement = MovePlaces(
            accounts: rows.map(\.key),
            places: try rows.map { try cipher.seal($0.value.place.text, .sharedPlace, of: $0.key) },
            times: rows.map(\.value.at), now: now)
        return try await pool.query(statement).compactMap { readers in
            moved[readers.account].map { told in
                FriendPlaces.Place(
                    account: readers.account,
                    place: Coordinate(latitude: told.place.latitude, longitude: told.place.longitude), at: told.at,
                    expiresAt: readers.expiresAt, friends: readers.friends)
            }
        }
    }

    private func hide(_ hidden: [UUID], at now: Date) async throws -> [FriendPlaces.Place] {
        guard !hidden.isEmpty else { return [] }
        return try await pool.query(FindPlaceReaders(accounts: hidden)).map { readers in
            FriendPlaces.Place(account: readers.account, place: nil, at: now, expiresAt: nil, friends: readers.friends)
        }
    }
}
