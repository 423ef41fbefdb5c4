import Foundation
import Postgres

/// Puts a photo on a parcel or a dish. It must be the owner's own, and is kept as long as it is used.
///
/// Lock order: a photo's row is the last one that a transaction locks.
struct UsePhoto: Sendable {
    /// - Parameter field: name of the field of the request.
    /// - Throws: ``PhotoRefusal/notOwn(field:)``
    func callAsFunction(
        _ photo: UUID, of owner: UUID, as field: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let touched = try await transaction.execute(TouchPhoto(photo: photo, owner: owner, now: now))
        guard touched == 1 else { throw PhotoRefusal.notOwn(field: field) }
    }
}
