import Contracts
import Foundation
import Postgres

struct StoreMarketSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ($1, $2, $3, $4)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = excluded.version
        WHERE market_settings.version < excluded.version
        """
    let market: String
    let key: String
    let value: String
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, key, value, version) }
}

/// Stores all settings of a market as its owner published them; newer rows stay.
struct StoreToldSettings: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version)
        SELECT $1, key, value, version FROM unnest($2::text[], $3::text[], $4::bigint[]) AS told (key, value, version)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = excluded.version
        WHERE market_settings.version <= excluded.version
        """
    let told: SettingsTold
    func bind(_ bindings: inout Bindings) {
        bindings.append(told.market)
        bindings.append(columnsOf: told.settings, \.key, \.value, \.version)
    }
}

/// Deletes settings that the owner does not have, if they are no newer than the published ones.
struct DropUntoldSettings: Statement {
    static let sql: SQL =
        "DELETE FROM market_settings WHERE market = $1 AND version <= $2 AND key <> ALL ($3::text[])"
    let told: SettingsTold
    func bind(_ bindings: inout Bindings) { bindings.append(told.market, told.version, told.settings.map(\.key)) }
}

/// Makes all settings older than any published one. Their order stays.
struct DoubtSettings: Statement {
    static let sql: SQL = "UPDATE market_settings SET version = version - 1000000000000 WHERE version > 0"
}

struct MarketSettingRow: Sendable {
    let market: String
    let key: String
    let value: String
}

struct ListMarketSettings: Statement {
    /// In the order of the changes: a currency brings amounts, and any of them may have changed later.
    static let sql: SQL = "SELECT market, key, value FROM market_settings ORDER BY market, version"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MarketSettingRow {
        MarketSettingRow(market: try row.next(), key: try row.next(), value: try row.next())
    }
}
