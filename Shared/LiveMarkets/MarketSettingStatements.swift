import Foundation
import Postgres

struct StoreMarketSetting: Statement {
    static let sql: StaticString = """
        INSERT INTO market_settings (market, key, value, version) VALUES ($1, $2, $3, $4)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = excluded.version
        WHERE market_settings.version < excluded.version
        """
    let market: String
    let key: String
    let value: String
    let version: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(market)
        bindings.append(key)
        bindings.append(value)
        bindings.append(version)
    }
}

struct MarketSettingRow: Sendable {
    let market: String
    let key: String
    let value: String
}

struct ListMarketSettings: Statement {
    /// In the order in which they were changed: a currency brings amounts, and any of them may have changed since.
    static let sql: StaticString = "SELECT market, key, value FROM market_settings ORDER BY market, version"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MarketSettingRow {
        MarketSettingRow(market: try row.next(), key: try row.next(), value: try row.next())
    }
}
