import Contracts
import Foundation
import Matching
import Postgres

/// Claims couriers for the meals that they are to be offered. A courier must be free, or hold meals of the same
/// restaurant that are all still at the restaurant.
struct ClaimCouriers: Sendable {
    /// Maximum number of meals per courier.
    static let limit = FoodSettings().bundleLimit

    struct Claim: Sendable {
        let order: UUID
        let provider: UUID
        let name: String
    }

    /// - Parameter meals: the restaurant of each meal. The caller holds the orders' locks.
    /// - Returns: the claims that hold once this commits. Couriers that another transaction has locked are skipped.
    func callAsFunction(
        _ pairs: [OfferOrders.Pair], of meals: [UUID: UUID], in market: Market, needsSubscription: Bool,
        in transaction: PostgresTransaction
    ) async throws -> [Claim] {
        // Each statement has its own snapshot, so the second one sees what was committed before the locks were taken.
        let (locked, rows) = try await transaction.queryAll(
            TryLockProviders(providers: Array(Set(pairs.map(\.provider)))),
            ReadCouriers(
                market: market.id, pairs: pairs.map { ($0.order, $0.provider) }, needsSubscription: needsSubscription))
        let held = Set(locked)
        var trips: [UUID: CourierTrip] = [:]
        var claims: [Claim] = []
        for row in rows where held.contains(row.provider) {
            guard let restaurant = meals[row.order] else { continue }
            let isFirst = trips[row.provider] == nil
            var trip =
                trips[row.provider]
                ?? CourierTrip(isFree: row.isFree, restaurants: row.restaurants, count: row.count, hasLeft: row.hasLeft)
            guard trip.add(of: restaurant, limit: Self.limit) else { continue }
            trips[row.provider] = trip
            if row.isFree, isFirst { transaction.send(HoldProvider(provider: row.provider, order: row.order)) }
            claims.append(Claim(order: row.order, provider: row.provider, name: row.name))
        }
        return claims
    }
}
