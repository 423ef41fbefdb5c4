import Foundation

/// Money of a charge that was taken back at the payment provider without a word from here.
struct Dispute: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// By the card's owner, at the bank.
        case dispute
        /// By somebody in the payment provider's dashboard.
        case refund
    }

    enum State: String, Sendable, CaseIterable {
        /// The bank asks, and has taken nothing yet.
        case inquiry
        case open, won, lost
        /// It came to nothing.
        case dismissed
        /// Of a refund: nothing more comes of it.
        case made
    }

    /// Whose money is taken for it.
    enum Payer: String, Sendable {
        /// Of the account whose card was charged, below zero if need be.
        case wallet
        /// Of what was given back for an order in the dashboard, and of accounts that are gone.
        case platform
    }

    /// What the ledger does.
    enum Effect: String, Sendable { case none, debit, giveBack }

    /// The whole life of a dispute, from nothing on: its events come in any order, and the first may be the last. What has
    /// no rule does not happen.
    static let rules: [(from: State?, to: State, effect: Effect)] = [
        (nil, .inquiry, .none), (nil, .open, .debit), (nil, .lost, .debit), (nil, .won, .none),
        (nil, .dismissed, .none), (nil, .made, .debit),
        (.inquiry, .open, .debit), (.inquiry, .lost, .debit), (.inquiry, .won, .none), (.inquiry, .dismissed, .none),
        (.open, .lost, .none), (.open, .won, .giveBack), (.open, .dismissed, .giveBack),
        // A bank may think better of it.
        (.lost, .won, .giveBack),
    ]

    let id: UUID
    /// The payment provider's id.
    let reference: String
    let kind: Kind
    let charge: UUID
    let account: UUID
    let market: String
    /// Nil of a top-up and a subscription.
    let order: UUID?
    let currency: String
    /// Minor units.
    let amount: Int
    let payer: Payer
    let madeAt: Date
    /// Nil before anything was heard of it.
    private(set) var state: State?
    private(set) var isDebited = false
    /// Whether it keeps the account's wallet frozen. What an admin has ended stays so, unless money is taken later.
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

    /// Notes how it stands. Late and repeated words change nothing.
    ///
    /// - Returns: what follows; nil when nothing is new.
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
    /// What was stored of it besides what never changes.
    mutating func restore(state: State, isDebited: Bool, isFreezing: Bool, reason: String?) {
        self.state = state
        self.isDebited = isDebited
        self.isFreezing = isFreezing
        self.reason = reason
    }

    /// Minor units that the wallet has paid for it.
    var debited: Int { isDebited && payer == .wallet ? amount : 0 }

    /// Nil where the wallet has nothing to do with it.
    ///
    /// - Parameter holder: whose name the card's statement has.
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
