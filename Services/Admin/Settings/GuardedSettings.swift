import Contracts
import Foundation

/// Settings that guard money. One admin may make such a guard stricter; to loosen it takes a second admin. Otherwise whoever
/// wants to pay out alone would first move the threshold.
enum GuardedSettings {
    /// How long a proposal waits for the second admin, in seconds.
    static let proposalSeconds = 7 * 86_400.0

    /// A change of `key` loosens a guard when more money may leave, or when it may leave sooner or with fewer admins.
    static func loosens(_ key: MarketSettings.Key, from old: MarketSettings, to new: MarketSettings) -> Bool {
        switch key {
        case .cardHoldDays: new.cardHoldDays < old.cardHoldDays
        case .dailyTopUpLimit: new.dailyTopUpLimit > old.dailyTopUpLimit
        case .dailyCashOutLimit: new.dailyCashOutLimit > old.dailyCashOutLimit
        case .secondApprovalAmount: new.secondApprovalAmount > old.secondApprovalAmount
        // Limits in two currencies cannot be compared. A request for the same currency can bring other amounts.
        case .currency:
            new.currency != old.currency || MarketSettings.amounts.contains { loosens($0, from: old, to: new) }
        default: false
        }
    }
}
