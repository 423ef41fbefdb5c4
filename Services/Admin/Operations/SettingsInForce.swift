import Contracts

/// A market's settings: what admins chose, over what the market begins with.
struct SettingsInForce: Sendable {
    let market: Market
    let settings: MarketSettings
    /// Of settings that were changed once, by their keys.
    let rows: [MarketSettings.Key: SettingRow]

    /// A row that this version of the program does not understand, because another one wrote it, does not count.
    init(_ market: Market, _ rows: [SettingRow]) {
        var settings = market.defaults
        var known: [MarketSettings.Key: SettingRow] = [:]
        for row in rows {
            guard let key = MarketSettings.Key(rawValue: row.key) else { continue }
            do {
                try settings.set(key, to: row.value)
                known[key] = row
            } catch {
                continue
            }
        }
        self.market = market
        self.settings = settings
        self.rows = known
    }

    /// 0 while nobody has changed the setting.
    func version(of key: MarketSettings.Key) -> Int { rows[key]?.version ?? 0 }
}
