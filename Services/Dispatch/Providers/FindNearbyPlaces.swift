import Foundation
import Matching
import Postgres

/// Finds the places of free providers without their identity (O6).
struct FindNearbyPlaces: Sendable {
    static let limit = 50

    let pool: PostgresPool
    let candidates: CandidateSearch

    /// - Returns: coarse places, nearest first; one for each provider.
    func callAsFunction(
        market: String, near place: GeoPoint, radiusMetres: Int, needsSubscription: Bool, caller: UUID
    ) async throws -> [GeoPoint] {
        let results = try await candidates(
            Self.limit, near: place, within: Double(radiusMetres), except: caller
        ) { accounts in
            let free = try await pool.query(
                FilterFreeAccounts(market: market, accounts: accounts, needsSubscription: needsSubscription))
            return Dictionary(free.map { ($0.account, true) }) { first, _ in first }
        }
        return results.prefix(Self.limit).map(\.found.place)
    }
}
