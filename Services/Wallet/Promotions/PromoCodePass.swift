import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Publishes changes of promo codes that were not published with the change itself: a used-up code that can be used
/// again, since returning a use does not touch the code's row; codes made or ended by an older version; and a market's
/// new currency. Any number of processes may run it.
struct PromoCodePass: Service {
    static let interval: Duration = .seconds(5)
    static let batch = 100

    let pool: PostgresPool
    let markets: LiveMarkets
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "promo codes were not looked at") {
            try await Self.pass(at: clock(), MarketCurrencies(markets), pool)
        }
    }

    static func pass(at now: Date, _ currencies: MarketCurrencies, _ pool: PostgresPool) async throws {
        while try await tellSome(at: now, currencies, pool) == batch {}
    }

    /// - Returns: the number of checked codes.
    private static func tellSome(
        at now: Date, _ currencies: MarketCurrencies, _ pool: PostgresPool
    ) async throws -> Int {
        let codes = try await pool.query(FindUnpublishedPromoCodes(limit: batch, currencies: currencies))
        // One transaction per code, so that each locks one code only.
        for code in codes {
            try await pool.withTransaction { transaction in
                guard let uses = try await transaction.first(LockPromoUses(code: code)) else { return }
                let returned = try await transaction.query(SettleReturnedUses(code: code))
                if !returned.isEmpty { transaction.send(SetPromoUses(code: code, uses: uses - returned.count)) }
                try await PublishPromoCode.tell(code, currencies, at: now, in: transaction)
            }
        }
        return codes.count
    }
}

extension MarketCurrencies {
    /// The current currencies.
    init(_ markets: LiveMarkets) {
        let pairs = Market.all.map { ($0.id, markets.settings(of: $0.id)?.currency ?? $0.defaults.currency) }
        codes = Dictionary(pairs) { first, _ in first }
    }
}
