import Contracts
import Foundation
import Messaging
import Postgres

/// Republishes the settings of all markets, one message per market. There are few markets.
enum RepublishSettings {
    static let kind = RepublishedKind("settings") { _, transaction in
        let markets = try await transaction.query(LockMarkets())
        for market in markets {
            let settings = try await transaction.query(ListSettings(market: market.market))
            try transaction.publish(
                SettingsTold(
                    market: market.market, version: market.version,
                    settings: settings.sorted { $0.version < $1.version }.map { setting in
                        SettingsTold.Setting(key: setting.key, value: setting.value, version: setting.version)
                    }))
        }
        return RepublishedKind.Part(count: markets.count, last: nil)
    }
}
