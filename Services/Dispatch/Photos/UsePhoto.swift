import Foundation
import Postgres

/// Puts a photo on something: it has to be the owner's own, and stays as long as it is on it.
///
/// Its row is the last one that a transaction locks.
struct UsePhoto: Sendable {
    /// - Parameter field: of the request, which names the photo.
    /// - Throws: ``PhotoRefusal/notOwn(field:)``
    func callAsFunction(
        _ photo: UUID, of owner: UUID, as field: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let touched = try await transaction.execute(TouchPhoto(photo: photo, owner: owner, now: now))
        guard touched == 1 else { throw PhotoRefusal.notOwn(field: field) }
    }
}
