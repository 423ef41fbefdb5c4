import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Tells of promo codes what was not told with the change itself: that a code which was used up can be had again, since
/// those who give a use back do not touch the code's row; what the program of before has made or ended; and that a
/// market's new currency is not theirs. Any number of processes may run it.
struct PromoCodePass: Service {
    static let interval: Duration = .seconds(5)
    static let batch = 100

    let pool: PostgresPool
    let markets: LiveMarkets
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "promo codes were not looked at") {
            try await Self.pass(at: Date(), MarketCurrencies(markets), pool)
        }
    }

    static func pass(at now: Date, _ currencies: MarketCurrencies, _ pool: PostgresPool) async throws {
        while try await tellSome(at: now, currencies, pool) == batch {}
    }

    /// - Returns: how many were looked at.
    private static func tellSome(
        at now: Date, _ currencies: MarketCurrencies, _ pool: PostgresPool
    ) async throws -> Int {
        let codes = try await pool.query(FindUntoldPromoCodes(limit: batch, currencies: currencies))
        // Each in a transaction of its own, which locks one code.
        for code in codes {
            try await pool.withTransaction { transaction in
                guard let uses = try await transaction.first(LockPromoUses(code: code)) else { return }
                let returned = try await transaction.query(SettleReturnedUses(code: code))
                if !returned.isEmpty { transaction.send(SetPromoUses(code: code, uses: uses - returned.count)) }
                try await TellPromoCode.tell(code, currencies, at: now, in: transaction)
            }
        }
        return codes.count
    }
}

extension MarketCurrencies {
    /// Of this moment.
    init(_ markets: LiveMarkets) {
        let pairs = Market.all.map { ($0.id, markets.settings(of: $0.id)?.currency ?? $0.defaults.currency) }
        codes = Dictionary(pairs) { first, _ in first }
    }
}
