import Foundation
import Postgres

/// A provider in a market, as identity tells. Whoever is no longer verified is no longer available.
struct StoreProviderRole: Statement {
    static let sql: SQL = """
        INSERT INTO provider_roles (market, account, title, verified, vehicle) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (market, account) DO UPDATE SET title = excluded.title, verified = excluded.verified,
            vehicle = excluded.vehicle, lost_at = NULL,
            available = provider_roles.available AND excluded.verified,
            available_at = CASE WHEN excluded.verified THEN provider_roles.available_at END
        """
    let market: String
    let account: UUID
    let title: String?
    let isVerified: Bool
    /// The class of what he or she drives.
    let vehicle: String?
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, title, isVerified, vehicle) }
}
