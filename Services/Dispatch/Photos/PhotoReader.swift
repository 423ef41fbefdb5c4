import Foundation
import Postgres
import ServiceKit

/// Reads photos for callers who may see the parcel or dish that uses them.
struct PhotoReader: Sendable {
    /// Maximum number of orders per photo that are checked.
    static let maximumParcels = 100

    let pool: PostgresPool
    let orders: OrderReader

    /// - Throws: a 404 ``Problem`` if the caller may not see the photo.
    func find(_ photo: UUID, for caller: Caller) async throws -> ReadPhoto.Row {
        guard let found = try await pool.first(FindPhoto(photo: photo)), try await sees(caller, photo, found),
            let row = try await pool.first(ReadPhoto(photo: photo))
        else { throw Problem.notFound }
        return row
    }

    /// The owner sees the photo always, everybody sees a dish's, and a parcel's is seen by callers who may find one of
    /// its orders.
    private func sees(_ caller: Caller, _ photo: UUID, _ found: FindPhoto.Row) async throws -> Bool {
        if caller.isAccount(found.owner) || found.isOnMenu { return true }
        for order in try await pool.query(ListParcelsOfPhoto(photo: photo, limit: Self.maximumParcels)) {
            do {
                _ = try await orders.find(order, for: caller)
                return true
            } catch is OrderNotFound {
                continue
            }
        }
        return false
    }
}
