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
    func put(_ move: PlaceBuffer.Move, of account: UUID) -> Bool {
        buffer.withLock { $0.put(move, of: account) }
    }

    func takeAll() -> [UUID: PlaceBuffer.Move] { buffer.withLock { $0.takeAll() } }

    func putBack(_ moves: [UUID: PlaceBuffer.Move]) { buffer.withLock { $0.putBack(moves) } }
}

/// Writes the newest places of many people at once, and finds out who may see each: who is a friend is asked with every
/// write, so that nobody sees a place after the link is gone, or after its owner has hidden it.
struct MoveSharedPlaces: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    func callAsFunction(_ moves: [UUID: PlaceBuffer.Move], at now: Date) async throws -> [FriendPlaces.Place] {
        guard !moves.isEmpty else { return [] }
        let rows = Array(moves)
        let statement = MovePlaces(
            accounts: rows.map(\.key),
            places: try rows.map { try cipher.seal($0.value.place.text, .sharedPlace, of: $0.key) },
            times: rows.map(\.value.at), now: now)
        return try await pool.query(statement).compactMap { readers in
            moves[readers.account].map { told in
                FriendPlaces.Place(
                    account: readers.account,
                    place: Coordinate(latitude: told.place.latitude, longitude: told.place.longitude), at: told.at,
                    expiresAt: readers.expiresAt, friends: readers.friends)
            }
        }
    }
}
