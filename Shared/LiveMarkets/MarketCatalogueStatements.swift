import Contracts
import Foundation
import Postgres
import SeraiJSON

/// Stores entries that an admin changed at one version; newer rows stay.
struct StoreCatalogueEntries: Statement {
    static let sql: SQL = """
        INSERT INTO market_catalogue (market, section, id, entry, version)
        SELECT $1, section, id, entry, version
        FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS told (section, id, entry, version)
        ON CONFLICT (market, section, id) DO UPDATE SET entry = excluded.entry, version = excluded.version
        WHERE market_catalogue.version < excluded.version OR ($6 AND market_catalogue.version = excluded.version)
        """
    let market: String
    let rows: [MarketCatalogueRow]
    /// Whether the owner republished them: what has the same version is replaced, too.
    let isTold: Bool
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(columnsOf: rows, \.section, \.id, \.entry, \.version)
        bindings.append(isTold)
    }
}

/// Deletes entries that the owner does not have, if they are no newer than the published ones.
struct DropUntoldEntries: Statement {
    static let sql: SQL = """
        DELETE FROM market_catalogue
        WHERE market = $1 AND version <= $2
            AND NOT EXISTS (
                SELECT FROM unnest($3::text[], $4::text[]) AS told (section, id)
                WHERE told.section = market_catalogue.section AND told.id = market_catalogue.id)
        """
    let told: CatalogueTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(told.market, told.version)
        bindings.append(columnsOf: told.entries.map(\.entry.key), \.section.rawValue, \.id)
    }
}

/// Makes all entries older than any published one.
struct DoubtCatalogue: Statement {
    static let sql: SQL = "UPDATE market_catalogue SET version = version - 1000000000000 WHERE version > 0"
}

struct MarketCatalogueRow: Sendable, Hashable {
    let market: String
    let section: String
    let id: String
    /// JSON.
    let entry: String
    let version: Int

    init(market: String, section: String, id: String, entry: String, version: Int) {
        (self.market, self.section, self.id) = (market, section, id)
        (self.entry, self.version) = (entry, version)
    }

    init(_ entry: CatalogueEntry, of market: String, version: Int) throws {
        self.init(
            market: market, section: entry.section.rawValue, id: entry.id, entry: try JSON.stored.text(entry),
            version: version)
    }
}

struct ListMarketCatalogue: Statement {
    static let sql: SQL =
        "SELECT market, section, id, entry, version FROM market_catalogue ORDER BY market, section, id"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MarketCatalogueRow {
        MarketCatalogueRow(
            market: try row.next(), section: try row.next(), id: try row.next(), entry: try row.next(),
            version: try row.next())
    }
}
