import Foundation
import Postgres

/// The providers of a market for its admins, those who wait longest first.
struct ReadProviders: Sendable {
    let pool: PostgresPool

    /// - Parameter after: the last row of the page before.
    func page(
        of market: String, _ state: Role.State, after: (requestedAt: Date, account: UUID)?, limit: Int
    ) async throws -> [ProviderRow] {
        let first = (requestedAt: Date(timeIntervalSince1970: 0), account: Self.leastID)
        let after = after ?? first
        return try await pool.query(
            ListProviders(
                market: market, state: state, afterTime: after.requestedAt, afterAccount: after.account, limit: limit))
    }

    private static let leastID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
