import Foundation

/// What an order costs and how far it is paid. One for each order.
struct Payment: Hashable, Sendable {
    let id: UUID
    let order: UUID
    let market: String
    let customer: UUID
    let customerName: String
    let currency: String
    private(set) var terms: PaymentTerms

    /// Of the newest snapshot that was heard; 0 before the first.
    private(set) var orderVersion = 0
    /// The order's state in dispatch's words.
    private(set) var orderState = ""
    /// When the order's present wait ends by itself: while it is due, until when it can be paid.
    private(set) var orderDeadline: Date?
    private(set) var state = PaymentState.requested
    /// How it is paid, or was last tried.
    private(set) var method: PaymentMethod?
    /// The last attempt by card.
    private(set) var charge: UUID?
    /// Why the last attempt by card failed, or how what was held was lost.
    private(set) var refusal: String?
    private(set) var version = 1
    /// The promo code that it is, or was last tried, with.
    private(set) var promotion: AppliedPromotion?

    init(
        id: UUID, order: UUID, market: String, customer: UUID, customerName: String, currency: String,
        terms: PaymentTerms
    ) {
        self.id = id
        self.order = order
        self.market = market
        self.customer = customer
        self.customerName = customerName
        self.currency = currency
        self.terms = terms
    }

    var provider: UUID? { terms.provider }
    /// Minor units.
    var amount: Int { terms.amount }
    /// What of the amount the platform pays.
    var discount: Int { promotion?.discount ?? 0 }
    /// What of the amount the customer pays.
    var customerPart: Int { amount - discount }
    var shares: Shares { Shares(of: amount, commissionBasisPoints: terms.commissionBasisPoints) }

    /// Whether its money lies in escrow.
    var isInEscrow: Bool { method != .cash && [.held, .capturing, .releasing].contains(state) }

    /// Whether the order is over and was not done.
    var hasOrderEnded: Bool { ["cancelled", "refused", "expired"].contains(orderState) }

    /// As others are shown it: what the payment provider is still asked about is held until it has answered.
    var shownState: PaymentState { [.capturing, .releasing].contains(state) ? .held : state }

    /// Takes notice of the order's state. Older snapshots and repeats are passed over.
    ///
    /// - Parameters:
    ///   - deadline: when the order's wait ends by itself.
    ///   - newTerms: as this snapshot has them. They hold from the order's acceptance on.
    /// - Returns: what that does to the payment, in the order in which it is to be done.
    mutating func follow(
        orderState newState: String, version newVersion: Int, deadline: Date?, terms newTerms: PaymentTerms
    ) -> [PaymentEffect] {
        guard newVersion > orderVersion else { return [] }
        orderVersion = newVersion
        orderState = newState
        orderDeadline = deadline
        if state == .requested { terms = newTerms }
        switch newState {
        case "accepted": return apply(.accepted) ?? []
        case "completed": return apply(.completed) ?? []
        default: return hasOrderEnded ? apply(.ended) ?? [] : []
        }
    }

    /// The customer pays.
    ///
    /// - Parameters:
    ///   - charge: the new attempt's id, with a card.
    ///   - promotion: what the platform pays of it.
    mutating func pay(
        by chosen: PaymentMethod, charge newCharge: UUID? = nil, with newPromotion: AppliedPromotion? = nil,
        at now: Date
    ) throws(PaymentRefusal) -> [PaymentEffect] {
        if let refusal = PaymentRefusal(self, at: now) { throw refusal }
        method = chosen
        charge = newCharge
        promotion = newPromotion
        refusal = nil
        let trigger: PaymentTrigger =
            switch chosen {
            case .card: .payByCard
            case .wallet: .payFromWallet
            case .cash: .promiseCash
            }
        return apply(trigger) ?? []
    }

    /// What became of a charge.
    ///
    /// - Parameter reason: why, when it was refused or given up.
    /// - Returns: nothing when the charge is not this payment's last, or the payment is past it.
    mutating func hear(_ trigger: PaymentTrigger, of heard: UUID, reason: String? = nil) -> [PaymentEffect] {
        let before = state
        guard heard == charge, let effects = apply(trigger) else { return [] }
        switch state {
        case .due: refusal = reason ?? "card-declined"
        // Nobody here has asked for it.
        case .released where before != .releasing: refusal = "authorisation-lost"
        default: break
        }
        return effects
    }

    /// Nil when nothing follows from the trigger here.
    private mutating func apply(_ trigger: PaymentTrigger) -> [PaymentEffect]? {
        guard let rule = PaymentRule.rule(from: state, trigger, method) else { return nil }
        state = rule.to
        version += 1
        return rule.effects
    }
}

extension Payment {
    /// What was stored of it besides what never changes.
    mutating func restore(
        orderVersion: Int, orderState: String, orderDeadline: Date?, state: PaymentState, method: PaymentMethod?,
        charge: UUID?,
        refusal: String?, version: Int, promotion: AppliedPromotion? = nil
    ) {
        self.orderVersion = orderVersion
        self.orderState = orderState
        self.orderDeadline = orderDeadline
        self.state = state
        self.method = method
        self.charge = charge
        self.refusal = refusal
        self.version = version
        self.promotion = promotion
    }
}
