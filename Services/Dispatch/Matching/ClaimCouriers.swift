import Contracts
import Foundation
import Matching
import Postgres

/// Makes couriers hold meals that they are to be asked for: who is free, or holds meals of the same restaurant that are
/// all still there.
struct ClaimCouriers: Sendable {
    /// Meals that one courier holds.
    static let limit = FoodSettings().bundleLimit

    struct Claim: Sendable {
        let order: UUID
        let provider: UUID
        let name: String
    }

    /// - Parameter meals: the restaurants; the orders' locks are held.
    /// - Returns: those that are held once this commits. A courier whom somebody else has in hand at this moment is left
    ///   alone.
    func callAsFunction(
        _ pairs: [OfferOrders.Pair], of meals: [UUID: UUID], in market: Market, needsSubscription: Bool,
        in transaction: PostgresTransaction
    ) async throws -> [Claim] {
        // Each statement sees what was committed before it began: what the locks have waited for, too.
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
