import Foundation

/// Money of a charge that was taken back at the payment provider without a request of this service.
struct Dispute: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// By the card's owner, at the bank.
        case dispute
        /// By somebody in the payment provider's dashboard.
        case refund
    }

    enum State: String, Sendable, CaseIterable {
        /// The bank asks, but has taken nothing yet.
        case inquiry
        case open, won, lost
        /// The dispute ended without effect.
        case dismissed
        /// The final state of a refund.
        case made
    }

    /// The party that pays.
    enum Payer: String, Sendable {
        /// The account whose card was charged; its wallet may go below zero.
        case wallet
        /// The platform, for refunds in the dashboard of money that was spent, and for deleted accounts.
        case platform
    }

    /// The ledger's transfer.
    enum Effect: String, Sendable { case none, debit, giveBack }

    /// The table of a dispute's life, from no state on: events arrive in any order, and the first may be the last. A
    /// change without a rule has no effect.
    static let rules: [(from: State?, to: State, effect: Effect)] = [
        (nil, .inquiry, .none), (nil, .open, .debit), (nil, .lost, .debit), (nil, .won, .none),
        (nil, .dismissed, .none), (nil, .made, .debit),
        (.inquiry, .open, .debit), (.inquiry, .lost, .debit), (.inquiry, .won, .none), (.inquiry, .dismissed, .none),
        (.open, .lost, .none), (.open, .won, .giveBack), (.open, .dismissed, .giveBack),
        // A bank may revise its decision.
        (.lost, .won, .giveBack),
    ]

    let id: UUID
    /// The payment provider's id.
    let reference: String
    let kind: Kind
    let charge: UUID
    let account: UUID
    let market: String
    /// Nil for a top-up and a subscription.
    let order: UUID?
    let currency: String
    /// Minor units.
    let amount: Int
    let payer: Payer
    let madeAt: Date
    /// Nil before the first report.
    private(set) var state: State?
    private(set) var isDebited = false
    /// Whether the dispute freezes the account's wallet. An admin's unfreezing is final unless money is taken later.
    private(set) var isFreezing = false
    private(set) var reason: String?

    init(
        id: UUID, reference: String, kind: Kind, charge: UUID, account: UUID, market: String, order: UUID?,
        currency: String, amount: Int, payer: Payer, madeAt: Date
    ) {
        self.id = id
        self.reference = reference
        self.kind = kind
        self.charge = charge
        self.account = account
        self.market = market
        self.order = order
        self.currency = currency
        self.amount = amount
        self.payer = payer
        self.madeAt = madeAt
    }

    /// Applies a reported state. Late and repeated reports change nothing.
    ///
    /// - Returns: the effect; nil when nothing changed.
    mutating func hear(_ newState: State, reason newReason: String?) -> Effect? {
        guard let rule = Self.rules.first(where: { $0.from == state && $0.to == newState }) else { return nil }
        let isFirst = state == nil
        state = newState
        reason = newReason ?? reason
        switch newState {
        case .won, .dismissed: isFreezing = false
        case .inquiry, .open, .lost, .made:
            if isFirst || rule.effect == .debit { isFreezing = payer == .wallet }
        }
        if rule.effect == .debit { isDebited = true }
        if rule.effect == .giveBack { isDebited = false }
        return rule.effect
    }
}

extension Dispute {
    /// Restores the stored values that may change.
    mutating func restore(state: State, isDebited: Bool, isFreezing: Bool, reason: String?) {
        self.state = state
        self.isDebited = isDebited
        self.isFreezing = isFreezing
        self.reason = reason
    }

    /// Minor units that the wallet has paid for the dispute.
    var debited: Int { isDebited && payer == .wallet ? amount : 0 }

    /// Returns nil when the wallet is not affected.
    ///
    /// - Parameter holder: the payer's name.
    func statementLine(
        method: PaymentMethod, title: [String: String], holder: String, platformName: String
    )
        -> StatementLine?
    {
        guard payer == .wallet, let state, state != .inquiry else { return nil }
        return StatementLine(
            account: account, source: "dispute:\(id.uuidString.lowercased())", kind: .refund, market: market,
            currency: currency, amount: -amount, order: order, method: method, title: title, payer: holder,
            beneficiary: platformName, state: isDebited ? .accepted : .rejected,
            reason: kind == .refund ? "given-back-to-card" : "charge-disputed")
    }
}
