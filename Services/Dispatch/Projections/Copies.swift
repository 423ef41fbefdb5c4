import LiveMarkets
import Postgres
import ServiceKit

extension DispatchService: RebuildingService {
    /// The projections of other services' data, by the command that fills them again. Copies inside orders, and data
    /// that providers have entered here, do not belong to them.
    static let copies = [
        CopiedKind("people", from: "identity republish") { pool in
            try await pool.executeInBatches(of: ResetPeopleVersions.limit, ResetPeopleVersions())
            try await pool.executeInBatches(of: ResetBanVersions.limit, ResetBanVersions())
            try await pool.executeInBatches(of: ResetLinkTimes.limit, ResetLinkTimes())
        },
        CopiedKind("money", from: "wallet republish") { pool in
            try await pool.executeInBatches(of: ResetBlockVersions.limit, ResetBlockVersions())
            try await pool.executeInBatches(of: ResetPaymentMethodVersions.limit, ResetPaymentMethodVersions())
            try await pool.executeInBatches(of: ResetSubscriptionVersions.limit, ResetSubscriptionVersions())
            try await pool.executeInBatches(of: ResetPromoCodeVersions.limit, ResetPromoCodeVersions())
            try await pool.executeInBatches(of: ResetPromoUseVersions.limit, ResetPromoUseVersions())
        },
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) },
    ]
}
