import Contracts
import Foundation

/// Settings that guard money. One admin may make such a guard stricter; to loosen it takes a second admin. Otherwise whoever
/// wants to pay out alone would first move the threshold.
enum GuardedSettings {
    /// How long a proposal waits for the second admin, in seconds.
    static let proposalSeconds = 7 * 86_400.0

    /// Whether the change of `key` lets more money leave, or lets it leave sooner or with fewer admins.
    static func loosens(_ key: MarketSettings.Key, from old: MarketSettings, to new: MarketSettings) -> Bool {
        switch key {
        case .cardHoldDays: new.cardHoldDays < old.cardHoldDays
        case .dailyTopUpLimit: new.dailyTopUpLimit > old.dailyTopUpLimit
        case .dailyCashOutLimit: new.dailyCashOutLimit > old.dailyCashOutLimit
        case .secondApprovalAmount: new.secondApprovalAmount > old.secondApprovalAmount
        // Its limits are amounts of another currency, which cannot be compared.
        case .currency: new.currency != old.currency
        default: false
        }
    }
}
