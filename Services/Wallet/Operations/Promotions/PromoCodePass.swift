import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Tells of promo codes what was not told with the change itself: that a code which was used up can be had again, since
/// those who give a use back do not touch the code's row, and what the program of before has made or ended. Any number of
/// processes may run it.
struct PromoCodePass: Service {
    static let interval: Duration = .seconds(5)
    static let batch = 100

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "promo codes were not looked at") {
            try await Self.pass(at: Date(), pool)
        }
    }

    static func pass(at now: Date, _ pool: PostgresPool) async throws {
        while try await tellSome(at: now, pool) == batch {}
    }

    /// - Returns: how many were looked at.
    private static func tellSome(at now: Date, _ pool: PostgresPool) async throws -> Int {
        let codes = try await pool.query(FindUntoldPromoCodes(limit: batch))
        // Each in a transaction of its own, which locks one code.
        for code in codes {
            try await pool.withTransaction { transaction in
                guard let uses = try await transaction.first(LockPromoUses(code: code)) else { return }
                let returned = try await transaction.query(SettleReturnedUses(code: code))
                if !returned.isEmpty { transaction.send(SetPromoUses(code: code, uses: uses - returned.count)) }
                try await TellPromoCode.tell(code, at: now, in: transaction)
            }
        }
        return codes.count
    }
}
