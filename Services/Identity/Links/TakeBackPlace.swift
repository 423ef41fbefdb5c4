import Contracts
import Foundation
import Messaging
import Postgres

/// Has friends told that a place is shown no more. It is a deadline that is set where the place is hidden: unlike a move,
/// which a newer one follows, it must not be lost with a process, with a full buffer, or while the broker is away.
struct TakeBackPlace: Sendable {
    static let deadline = "identity.shared-place-hidden"

    let clock: @Sendable () -> Date
    /// Throws where it could not be told: then the deadline comes again.
    let tell: @Sendable (FriendPlaces) async throws -> Void

    /// Sets the deadline, before the account's row is locked: its handler holds the deadline's row and waits for the
    /// account's.
    static func ask(of account: UUID, at now: Date, in transaction: PostgresTransaction) {
        transaction.set(Deadline(kind: deadline, subject: account.text, dueAt: now))
    }

    func callAsFunction(_ fired: Deadline, in transaction: PostgresTransaction) async throws {
        guard let account = UUID(uuidString: fired.subject) else { return }
        for message in LivePlaceFeed.messages(try await places(of: account, fired, in: transaction)) {
            try await tell(message)
        }
    }

    /// The friends who are told; none where the account shows its place again. The lock orders this among the shares of the
    /// account: its time is after the last move that was shown, and before the next that is.
    func places(
        of account: UUID, _ fired: Deadline, in transaction: PostgresTransaction
    ) async throws -> [FriendPlaces.Place] {
        guard try await Accounts.lockIfFound(account, in: transaction) != nil else { return [] }
        let now = fired.now(by: clock)
        let own = try await transaction.first(FindOwnSharedPlace(account: account, now: now))
        guard own?.isVisible != true else { return [] }
        return try await transaction.query(FindPlaceReaders(accounts: [account])).map { readers in
            FriendPlaces.Place(account: account, place: nil, at: now, expiresAt: nil, friends: readers.friends)
        }
    }
}
