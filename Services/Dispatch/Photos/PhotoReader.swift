import Foundation
import Postgres
import ServiceKit

/// Photos for whoever may see what they are on.
struct PhotoReader: Sendable {
    /// So many parcels of one photo are looked at.
    static let maximumParcels = 100

    let pool: PostgresPool
    let orders: OrderReader

    /// - Throws: a 404 ``Problem`` for who may not see it.
    func find(_ photo: UUID, for caller: Caller) async throws -> ReadPhoto.Row {
        guard let found = try await pool.first(FindPhoto(photo: photo)), try await sees(caller, photo, found),
            let row = try await pool.first(ReadPhoto(photo: photo))
        else { throw Problem.notFound }
        return row
    }

    /// Its owner always, a dish's everybody, and a parcel's whoever finds one of its orders.
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
