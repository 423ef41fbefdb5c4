import Contracts
import Foundation
import Hummingbird
import Messaging

/// The settings of a market in its admins' view.
struct SettingsView: ResponseEncodable, Sendable {
    struct Setting: ResponseEncodable, Sendable {
        let key: String
        let value: String
        let `default`: String
        let kind: SettingRule.Kind
        /// In English, as ``MarketSettings`` says it.
        let allowed: String
        let minimum: Int?
        let maximum: Int?
        /// 0 if the setting was never changed.
        let version: Int
        let changedBy: PersonView?
        let changedAt: Date?
        /// The value that one admin has proposed and a second admin has to request as well; nil if none waits.
        let proposed: Proposal?
    }

    struct Proposal: Encodable, Sendable {
        let value: String
        let by: PersonView
        let at: Date
    }

    let market: String
    /// The version of the newest change.
    let version: Int
    let items: [Setting]

    init(_ inForce: EffectiveSettings, _ proposals: [SettingProposal], names: [UUID: String]) {
        market = inForce.market.id
        version = inForce.rows.values.map(\.version).max() ?? 0
        items = MarketSettings.Key.allCases.map { key in
            let rule = SettingRule(key, of: inForce.market)
            let row = inForce.rows[key]
            return Setting(
                key: key.rawValue, value: inForce.settings.shown(key),
                default: inForce.market.defaults.shown(key), kind: rule.kind, allowed: rule.allowed,
                minimum: rule.range?.lowerBound, maximum: rule.range?.upperBound, version: row?.version ?? 0,
                changedBy: row.map { PersonView(account: $0.changedBy.text, name: names[$0.changedBy]) },
                changedAt: row?.changedAt,
                proposed: proposals.first { $0.key == key.rawValue }.map {
                    Proposal(
                        value: $0.value, by: PersonView(account: $0.by.text, name: names[$0.by]), at: $0.at)
                })
        }
    }
}

extension MarketSettings {
    /// The value of a setting in the admins' view: for the currency only its code.
    func shown(_ key: Key) -> String { key == .currency ? currency : text(of: key) }
}

/// An account, with its name if it is known.
struct PersonView: Encodable, Sendable {
    let account: String
    let name: String?
}
