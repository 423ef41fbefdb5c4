import Foundation

/// The money that a provider leaves with the platform for an order, from its acceptance until its end.
struct Deposit: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        case locked
        /// The provider's wallet held less, or was frozen.
        case refused
        case returned
        /// Given to the customer by an admin's decision.
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
    /// The order's version of the acceptance that the deposit answers.
    var orderVersion: Int
    var state: State
}

/// The step of a deposit that follows from its order's newest snapshot.
struct DepositStep: Hashable, Sendable {
    /// Whether the locked deposit is returned.
    let returns: Bool
    /// Whether a deposit is taken.
    let locks: Bool
    /// Whether the locked deposit answers a later acceptance by the same provider, when the wallet heard nothing of the
    /// time in between.
    let answersAgain: Bool

    private static let running: Set = ["accepted", "preparing", "enRoute", "arrived", "inProgress"]

    /// - Parameters:
    ///   - isReported: whether an admin's decision is needed; nothing moves until then.
    ///   - wanted: the deposit in minor units; zero or less for none.
    ///   - acceptance: the order's version at the acceptance; nil if unknown.
    ///   - lockedFor: the provider whose deposit is locked.
    ///   - lockedAt: the acceptance that the locked deposit answered.
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
