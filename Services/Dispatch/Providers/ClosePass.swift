import Contracts
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Closes restaurants, and ends the availability of providers, whose prices are all in a currency that the market does not
/// have any more: nobody could order anything of them. They open again by their own word, once they have set prices.
///
/// Any number of processes may run it; each locks only a few rows at a time and skips rows that are locked.
struct ClosePass: Service {
    static let interval: Duration = .seconds(30)
    static let batch = 200

    let pool: PostgresPool
    let markets: LiveMarkets
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "who has no prices was not closed") {
            try await pass()
        }
    }

    func pass() async throws {
        for market in markets.all {
            guard let currency = markets.settings(of: market.id)?.prices(in: market) else { continue }
            try await pool.executeInBatches(
                of: Self.batch,
                CloseUnpricedRestaurants(market: market.id, currency: currency, limit: Self.batch))
            let searched = market.allTitles.map(\.id).filter { market.isSearchedFor(title: $0) }
            // Where the platform searches for all, nobody sets prices.
            guard searched.count < market.allTitles.count else { continue }
            try await pool.executeInBatches(
                of: Self.batch,
                StopUnpricedProviders(
                    market: market.id, currency: currency,
                    searched: searched + (market.isSearchedFor(title: nil) ? [""] : []), limit: Self.batch))
        }
    }
}
