import Contracts
import Matching

extension Tariff {
    init(_ setting: MarketSettings.Tariff) {
        self.init(
            base: setting.base, perKilometre: setting.perKilometre, perMinute: setting.perMinute,
            minimum: setting.minimum)
    }
}

extension Surge.Rule {
    init(_ setting: MarketSettings.SurgeRule) {
        self.init(
            capPercent: setting.capPercent, leastWaiting: setting.leastWaiting,
            percentPerOrder: setting.percentPerOrder, stepPercent: setting.stepPercent,
            radiusMetres: setting.radiusMetres)
    }
}
