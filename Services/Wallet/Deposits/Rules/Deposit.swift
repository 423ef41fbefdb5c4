import Foundation

/// What a provider leaves with the platform for an order, from its acceptance until its end.
struct Deposit: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        case locked
        /// The provider's wallet held less.
        case refused
        case returned
        /// Given to the customer, by an admin's decision.
        case forfeited
    }

    let id: UUID
    let order: UUID
    let market: String
    let provider: UUID
    let providerName: String
    let customer: UUID
    let customerName: String
    let currency: String
    /// Minor units.
    let amount: Int
    /// Of the order, when it was accepted.
    var orderVersion: Int
    var state: State
}

/// What an order's newest snapshot means for its deposit.
struct DepositStep: Hashable, Sendable {
    /// Whether the one that is locked goes back.
    let returns: Bool
    /// Whether one is to be taken.
    let locks: Bool
    /// Whether the one that is locked answers a later acceptance by its provider, between which and the first nothing was
    /// heard.
    let answersAgain: Bool

    private static let running: Set = ["accepted", "preparing", "enRoute", "arrived", "inProgress"]

    /// - Parameters:
    ///   - isReported: whether an admin is to decide; nothing moves until then.
    ///   - wanted: minor units; zero or less is none.
    ///   - acceptance: the order's version when the provider accepted it; nil where it is not said.
    ///   - lockedFor: the provider whose deposit is locked.
    ///   - lockedAt: the acceptance that was answered with it.
    init(
        orderState: String, isReported: Bool, provider: UUID?, wanted: Int, acceptance: Int?, lockedFor: UUID?,
        lockedAt: Int?
    ) {
        let isFrozen = isReported || orderState == "disputed"
        let isRunning = Self.running.contains(orderState)
        returns = lockedFor != nil && !isFrozen && !(isRunning && lockedFor == provider)
        locks = isRunning && !isFrozen && wanted > 0 && provider != nil && lockedFor != provider
        let isLater = if let acceptance, let lockedAt { lockedAt < acceptance } else { false }
        answersAgain = isRunning && !isFrozen && lockedFor == provider && isLater
    }
}
