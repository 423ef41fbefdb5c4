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
    /// What the order costs in the end, once it is done: minor units, at most ``amount``. The rest goes back.
    private(set) var settled: Int?
    /// What the customer has added for the provider.
    private(set) var tipped = 0
    /// What admins have given back of what the customer has paid and tipped, and was fined.
    private(set) var refunded = 0
    /// What of that went to the card.
    private(set) var refundedToCard = 0

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
    /// What is to be paid, or is held: minor units.
    var amount: Int { terms.amount }
    /// What the order costs, as far as is known.
    var price: Int { settled ?? amount }
    /// How that is divided.
    var division: Division { Division(of: price, by: terms) }
    /// How it was divided; nil as long as nobody has got anything.
    var madeDivision: Division? { state == .captured ? division : nil }

    /// Whether its money lies in escrow.
    var isInEscrow: Bool { method != .cash && Self.inEscrow.contains(state) }

    /// The states in which what was not promised in cash lies in escrow.
    static let inEscrow: Set<PaymentState> = [.held, .frozen, .capturing, .releasing, .crediting]

    /// Whether the order is over and was not done.
    var hasOrderEnded: Bool { ["cancelled", "refused", "expired"].contains(orderState) }

    /// Whether a report of the order may have been heard: what comes before one says that it goes on.
    var mayBeReported: Bool { hasOrderEnded || ["disputed", "completed"].contains(orderState) }

    /// Whether cash is promised that nobody takes: what the platform sells itself hands nobody a purse, and a merchant's
    /// goods that nobody has fetched are brought to nobody.
    var isCashForNobody: Bool { method == .cash && terms.provider == nil }

    /// As others are shown it: what the payment provider is still asked about is held until it has answered.
    var shownState: PaymentState {
        if Self.inEscrow.contains(state) { return .held }
        return state == .credited ? .released : state
    }

    /// Takes notice of the order's state. Older snapshots and repeats are passed over.
    ///
    /// - Parameters:
    ///   - deadline: when the order's wait ends by itself.
    ///   - newTerms: as this snapshot has them. The price holds from when it is to be paid on; who is paid may become
    ///     known later, and what the order costs in the end may be less.
    ///   - isReported: whether an admin's decision says where the money goes, whatever the order's state.
    ///   - isFined: whether a cancellation costs its customer a fine.
    /// - Returns: what that does to the payment, in the order in which it is to be done.
    mutating func follow(
        orderState newState: String, version newVersion: Int, deadline: Date?, terms newTerms: PaymentTerms,
        isReported: Bool = false, isFined: Bool = false
    ) -> [PaymentEffect] {
        guard newVersion > orderVersion else { return [] }
        orderVersion = newVersion
        orderState = newState
        orderDeadline = deadline
        switch state {
        case .requested: terms = newTerms
        case .due, .authorising, .held, .frozen: terms.follow(newTerms)
        case .capturing, .captured, .releasing, .released, .crediting, .credited, .closed: break
        }
        if isReported || newState == "disputed" { return apply(.disputed) ?? [] }
        switch newState {
        case "pending": return apply(.pending) ?? []
        case "accepted": return apply(.accepted) ?? []
        case "completed": return settle(at: newTerms.amount)
        default:
            guard hasOrderEnded else { return [] }
            return (isFined ? apply(.endedWithFine) : nil) ?? apply(.ended) ?? []
        }
    }

    /// An admin has decided about a report. Only the first decision, and only while something is held, does anything.
    ///
    /// - Parameter toCustomer: minor units of what it costs that go back; the rest is paid out as if the order were done at that
    ///   price. What is held beyond what it costs goes back in any case.
    mutating func decide(toCustomer: Int) -> [PaymentEffect] {
        guard state == .held || state == .frozen else { return [] }
        // Nobody to pay: what is held can only go back.
        guard !terms.allPayees.isEmpty else { return apply(.ended) ?? [] }
        let whole = min(terms.total ?? amount, amount)
        let cost = whole - min(max(toCustomer, 0), whole)
        guard terms.provider == nil else { return settle(at: cost) }
        // Nobody has brought it: what the way would have cost goes back, whatever was decided.
        let sold = terms.payees.map(\.amount).reduce(0, +)
        terms.total = sold
        return settle(at: min(cost, sold))
    }

    /// The order is done and costs this, at most what is held: nobody is charged above what was agreed.
    private mutating func settle(at cost: Int) -> [PaymentEffect] {
        let cost = min(cost, amount)
        guard cost > 0 || amount == 0, !isCashForNobody else { return apply(.ended) ?? [] }
        let before = settled
        settled = cost
        guard let effects = apply(.completed) else {
            settled = before
            return []
        }
        if state == .closed { settled = nil }
        return effects
    }

    /// An admin gives back a part of what the customer has paid. What the platform has paid by a promo code is none of it.
    ///
    /// - Parameter fine: what the order's cancellation has cost; taken from the wallet, so it goes back there.
    /// - Throws: what cannot be given back.
    mutating func refund(_ part: Int, toCard: Bool, fine: Int = 0) throws(RefundRefusal) {
        guard state == .captured || fine > 0 else { throw .notCaptured(shownState) }
        if toCard, state != .captured || method?.isCharged != true { throw .notByCard }
        let left = (state == .captured ? customerPart + tipped : 0) + fine - refunded
        guard part <= left else { throw .aboveCaptured(left: left, currency: currency) }
        let leftOnCard = customerPart - refundedToCard
        guard !toCard || part <= leftOnCard else { throw .aboveCaptured(left: leftOnCard, currency: currency) }
        refunded += part
        if toCard { refundedToCard += part }
    }

    /// The customer adds something for the provider, once.
    mutating func tip(_ amount: Int) throws(TipRefusal) -> UUID {
        guard state == .captured else { throw .notCaptured(shownState) }
        guard tipped == 0 else { throw .given }
        guard let provider else { throw .noProvider }
        tipped = amount
        return provider
    }

    /// The customer pays. What costs nothing is held at once, as if from the wallet: the payment provider charges nothing
    /// less than something.
    ///
    /// - Parameters:
    ///   - charge: the new attempt's id, with a method that the payment provider takes.
    ///   - promotion: what the platform pays of it.
    mutating func pay(
        by chosen: PaymentMethod, charge newCharge: UUID? = nil, with newPromotion: AppliedPromotion? = nil,
        at now: Date
    ) throws(PaymentRefusal) -> [PaymentEffect] {
        if let refusal = PaymentRefusal(self, at: now) { throw refusal }
        let isFree = amount == 0 && chosen.isCharged
        let chosen = isFree ? .wallet : chosen
        method = chosen
        charge = isFree ? nil : newCharge
        promotion = newPromotion
        refusal = nil
        let trigger: PaymentTrigger =
            switch chosen {
            case .card, .applePay, .googlePay, .payPal: .payByCard
            case .wallet: .payFromWallet
            case .cash: .promiseCash
            }
        return apply(trigger) ?? []
    }

    /// The customer was to be charged, and may not be; nothing was tried. An attempt before this, with its charge and its
    /// promo code, is over, and says in its own line of the statement what became of it.
    mutating func refuseCharge(by tried: PaymentMethod, reason: String) -> [PaymentEffect] {
        guard let effects = apply(.notCharged) else { return [] }
        method = tried
        charge = nil
        promotion = nil
        refusal = reason
        return effects
    }

    /// The customer does not go on with an attempt that waits for a word of his or hers.
    ///
    /// - Returns: nil when there is no attempt.
    mutating func abandon() -> [PaymentEffect]? {
        guard let effects = apply(.abandoned) else { return nil }
        refusal = "abandoned"
        return effects
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
        refusal: String?, version: Int, settled: Int?, tipped: Int, refunded: Int, refundedToCard: Int,
        promotion: AppliedPromotion? = nil
    ) {
        self.orderVersion = orderVersion
        self.orderState = orderState
        self.orderDeadline = orderDeadline
        self.state = state
        self.method = method
        self.charge = charge
        self.refusal = refusal
        self.version = version
        self.settled = settled
        self.tipped = tipped
        self.refunded = refunded
        self.refundedToCard = refundedToCard
        self.promotion = promotion
    }
}
