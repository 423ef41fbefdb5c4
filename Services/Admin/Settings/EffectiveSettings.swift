import Contracts

/// A market's settings: the defaults, overridden by admins' changes.
struct EffectiveSettings: Sendable {
    let market: Market
    let settings: MarketSettings
    /// The newest change of each setting that was changed, by key; for an amount this may be the currency's change.
    let rows: [MarketSettings.Key: SettingRow]

    /// Ignores a row that this version of the program does not understand, because another version wrote it.
    init(_ market: Market, _ rows: [SettingRow]) {
        var settings = market.defaults
        var known: [MarketSettings.Key: SettingRow] = [:]
        // In order of versions, because a currency sets amounts that may have changed later.
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

    /// 0 if the setting was never changed.
    func version(of key: MarketSettings.Key) -> Int { rows[key]?.version ?? 0 }
}
