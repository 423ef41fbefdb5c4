import Contracts
import Foundation
import Messaging
import Postgres

/// Republishes what admins have changed of the catalogues of all markets, one message per market.
enum RepublishCatalogue {
    static let kind = RepublishedKind("catalogue") { _, transaction in
        let markets = try await transaction.query(LockMarkets())
        for market in markets {
            let rows = try await transaction.query(ListCatalogue(market: market.market))
            // Readers delete what is left out: a market with entries of a newer program is not told by this one.
            guard rows.allSatisfy({ $0.entry != nil }) else { continue }
            try transaction.publish(
                CatalogueTold(
                    market: market.market, version: market.version,
                    entries: rows.compactMap { row in
                        row.entry.map { CatalogueTold.Entry(entry: $0, version: row.version) }
                    }))
        }
        return RepublishedKind.Part(count: markets.count, last: nil)
    }
}
