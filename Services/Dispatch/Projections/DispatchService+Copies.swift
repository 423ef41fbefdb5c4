import LiveMarkets
import Postgres
import ServiceKit

extension DispatchService: RebuildingService {
    /// The projections of other services' data, by the command that fills them again. Copies inside orders, and data
    /// that providers have entered here, do not belong to them.
    static let copies = [
        CopiedKind("people", from: "identity republish") { pool in
            try await pool.executeInBatches(of: DoubtPeople.limit, DoubtPeople())
            try await pool.executeInBatches(of: DoubtBans.limit, DoubtBans())
            try await pool.executeInBatches(of: DoubtLinks.limit, DoubtLinks())
        },
        CopiedKind("money", from: "wallet republish") { pool in
            try await pool.executeInBatches(of: DoubtBlocks.limit, DoubtBlocks())
            try await pool.executeInBatches(of: DoubtMethods.limit, DoubtMethods())
            try await pool.executeInBatches(of: DoubtSubscriptions.limit, DoubtSubscriptions())
            try await pool.executeInBatches(of: DoubtPromoCodes.limit, DoubtPromoCodes())
            try await pool.executeInBatches(of: DoubtPromoUses.limit, DoubtPromoUses())
        },
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) },
    ]
}
