import Contracts
import Foundation

/// The settings that guard money. One admin may tighten such a guard; loosening it takes a second admin. Otherwise one
/// admin could raise the threshold first and then pay out alone.
enum GuardedSettings {
    /// The time that a proposal waits for the second admin, in seconds.
    static let proposalSeconds = 7 * 86_400.0

    /// Whether a change of `key` loosens a guard: more money may leave, or it may leave sooner or with fewer admins.
    static func loosens(_ key: MarketSettings.Key, from old: MarketSettings, to new: MarketSettings) -> Bool {
        switch key {
        case .cardHoldDays: new.cardHoldDays < old.cardHoldDays
        case .dailyTopUpLimit: new.dailyTopUpLimit > old.dailyTopUpLimit
        case .dailyCashOutLimit: new.dailyCashOutLimit > old.dailyCashOutLimit
        case .secondApprovalAmount: new.secondApprovalAmount > old.secondApprovalAmount
        // From then on an admin can say that there is money.
        case .deskTakesCash: new.deskTakesCash && !old.deskTakesCash
        // Limits in two currencies cannot be compared. A request for the same currency can bring other amounts.
        case .currency:
            new.currency != old.currency || MarketSettings.amounts.contains { loosens($0, from: old, to: new) }
        default: false
        }
    }
}
