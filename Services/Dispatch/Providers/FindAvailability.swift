import Foundation
import Matching
import Postgres
import ServiceKit

/// Finds out whether a provider is available, since when, and the last position.
struct FindAvailability: Sendable {
    struct Answer: Sendable {
        let since: Date?
        let last: Fix?
        /// Whether the provider holds an order.
        let isHeld: Bool
    }

    let pool: PostgresPool

    /// - Throws: 409 ``Problem`` when dispatch does not know the provider.
    func callAsFunction(_ provider: UUID, in market: String) async throws -> Answer {
        let (roles, fixes, held) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                FindProviderRole(market: market, account: provider), FindLastPosition(provider: provider),
                IsProviderHeld(provider: provider))
        }
        guard let role = roles.first else { throw Problem.providerNotKnown }
        return Answer(
            since: role.isAvailable ? role.availableSince : nil, last: fixes.first, isHeld: held.first ?? false)
    }
}
