import Foundation
import Postgres

/// Stores a provider's role from identity: that of the work, or that of a restaurant (B2). A provider who is no longer verified becomes unavailable.
struct StoreProviderRole: Statement {
    static let sql: SQL = """
        INSERT INTO provider_roles (market, account, title, verified, vehicle, car)
        VALUES ($1, $2, $3, $4, $5, $6::text::jsonb)
        ON CONFLICT (market, account, sells) DO UPDATE SET title = excluded.title, verified = excluded.verified,
            vehicle = excluded.vehicle, car = excluded.car, lost_at = NULL,
            available = provider_roles.available AND excluded.verified,
            available_at = CASE WHEN excluded.verified THEN provider_roles.available_at END
        """
    let market: String
    let account: UUID
    let title: String?
    let isVerified: Bool
    /// The class of the provider's vehicle.
    let vehicle: String?
    /// JSON of an `AccountSnapshot.Car`.
    var car: String?
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, title, isVerified, vehicle, car) }
}
