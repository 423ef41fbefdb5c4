import Contracts

/// A market's settings: what admins chose, over what the market begins with.
struct SettingsInForce: Sendable {
    let market: Market
    let settings: MarketSettings
    /// Of settings that were changed once, by their keys: the newest change of each, which of an amount may be that of the
    /// currency.
    let rows: [MarketSettings.Key: SettingRow]

    /// A row that this version of the program does not understand, because another one wrote it, does not count.
    init(_ market: Market, _ rows: [SettingRow]) {
        var settings = market.defaults
        var known: [MarketSettings.Key: SettingRow] = [:]
        // A currency brings amounts, and any of them may have changed since.
        for row in rows.sorted(by: { $0.version < $1.version }) {
            guard let key = MarketSettings.Key(rawValue: row.key) else { continue }
            do {
                try settings.set(key, to: row.value)
                known[key] = row
                if key == .currency { for amount in MarketSettings.amounts { known[amount] = row } }
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
