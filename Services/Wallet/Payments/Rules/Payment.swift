import Foundation

/// The price of an order and the state of its payment. One payment per order.
struct Payment: Hashable, Sendable {
    let id: UUID
    let order: UUID
    let market: String
    let customer: UUID
    let customerName: String
    let currency: String
    private(set) var terms: PaymentTerms

    /// The version of the newest snapshot; 0 before the first.
    private(set) var orderVersion = 0
    /// The order's state as dispatch names it.
    private(set) var orderState = ""
    /// The deadline of the order's current state; while the payment is due, the last time to pay.
    private(set) var orderDeadline: Date?
    private(set) var state = PaymentState.requested
    /// The method of the payment or of the last attempt.
    private(set) var method: PaymentMethod?
    /// The last attempt by card.
    private(set) var charge: UUID?
    /// Why the last attempt by card failed, or how the held money was lost.
    private(set) var refusal: String?
    private(set) var version = 1
    /// The promo code of the payment or of the last attempt.
    private(set) var promotion: AppliedPromotion?
    /// The final cost of a completed order in minor units, at most ``amount``. The rest goes back.
    private(set) var settled: Int?
    /// The customer's tip, in minor units.
    private(set) var tipped = 0
    /// The sum of the refunds by admins, out of price, tip and fine.
    private(set) var refunded = 0
    /// The part of ``refunded`` that went to the card.
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
    /// The price to be paid or held, in minor units.
    var amount: Int { terms.amount }
    /// Costs nothing and is held, which needs no request by the customer.
    var isHeldFree: Bool { amount == 0 && state == .held }
    /// The order's cost as far as it is known.
    var price: Int { settled ?? amount }
    /// The division of the price.
    var division: Division { Division(of: price, by: terms) }
    /// The division that was paid out; nil before the capture.
    var madeDivision: Division? { state == .captured ? division : nil }

    /// Whether the payment's money lies in escrow.
    var isInEscrow: Bool { method != .cash && Self.inEscrow.contains(state) }

    /// The states in which the money of a payment other than cash lies in escrow.
    static let inEscrow: Set<PaymentState> = [.held, .frozen, .capturing, .releasing, .crediting]

    /// Whether the order ended without completion.
    var hasOrderEnded: Bool { ["cancelled", "refused", "expired"].contains(orderState) }

    /// Whether a report of the order may have been heard already. In all other states the order is still going on.
    var mayBeReported: Bool { hasOrderEnded || ["disputed", "completed"].contains(orderState) }

    /// Whether cash was promised but there is nobody to collect it: the platform's own sales have no provider, and a
    /// merchant's goods without a courier are not delivered.
    var isUncollectableCash: Bool { method == .cash && terms.provider == nil }

    /// The state that others see: `held` while the payment provider has not answered yet.
    var shownState: PaymentState {
        if Self.inEscrow.contains(state) { return .held }
        return state == .credited ? .released : state
    }

    /// Follows an order snapshot. Older and repeated snapshots have no effect.
    ///
    /// - Parameters:
    ///   - deadline: the deadline of the order's state.
    ///   - newTerms: the snapshot's terms. The price is fixed once the payment is due; the payees may become known
    ///     later, and the final cost may be lower.
    ///   - isReported: whether an admin's decision, not the order's state, moves the money.
    ///   - isFined: whether the customer pays a fine for the cancellation.
    /// - Returns: the effects, in the order in which they must be carried out.
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

    /// Applies an admin's decision about a report. Only the first decision has an effect, and only while money is held.
    ///
    /// - Parameter toCustomer: minor units of the cost that go back; the rest is paid out as if the order were
    ///   completed at that price. Held money above the cost always goes back.
    mutating func decide(toCustomer: Int) -> [PaymentEffect] {
        guard state == .held || state == .frozen else { return [] }
        // Without a payee everything goes back.
        guard !terms.allPayees.isEmpty else { return apply(.ended) ?? [] }
        let whole = min(terms.total ?? amount, amount)
        let cost = whole - min(max(toCustomer, 0), whole)
        guard terms.provider == nil else { return settle(at: cost) }
        // Without a provider nothing was delivered: the delivery's price goes back, whatever was decided.
        let sold = terms.payees.map(\.amount).reduce(0, +)
        terms.total = sold
        return settle(at: min(cost, sold))
    }

    /// Settles a completed order at its cost, at most the held amount: nobody is charged more than was agreed.
    private mutating func settle(at cost: Int) -> [PaymentEffect] {
        let cost = min(cost, amount)
        guard cost > 0 || amount == 0, !isUncollectableCash else { return apply(.ended) ?? [] }
        let before = settled
        settled = cost
        guard let effects = apply(.completed) else {
            settled = before
            return []
        }
        if state == .closed { settled = nil }
        return effects
    }

    /// Records a refund of a part of what the customer paid. The platform's discount cannot be refunded.
    ///
    /// - Parameters:
    ///   - fine: the fine for the order's cancellation; it was taken from the wallet, so it is refunded there.
    ///   - unpaid: the part of the fine that the customer neither paid nor owes any more, so it cannot be refunded.
    /// - Throws: ``RefundRefusal`` when the part cannot be refunded.
    mutating func refund(_ part: Int, toCard: Bool, fine: Int = 0, unpaid: Int = 0) throws(RefundRefusal) {
        guard state == .captured || fine > 0 else { throw .notCaptured(shownState) }
        if toCard, state != .captured || method?.isCharged != true { throw .notByCard }
        let left = (state == .captured ? customerPart + tipped : 0) + fine - unpaid - refunded
        guard part <= left else { throw .aboveCaptured(left: max(left, 0), currency: currency) }
        let leftOnCard = customerPart - refundedToCard
        guard !toCard || part <= leftOnCard else { throw .aboveCaptured(left: leftOnCard, currency: currency) }
        refunded += part
        if toCard { refundedToCard += part }
    }

    /// Records the customer's tip; one per order.
    mutating func tip(_ amount: Int) throws(TipRefusal) -> UUID {
        guard state == .captured else { throw .notCaptured(shownState) }
        guard tipped == 0 else { throw .given }
        guard let provider else { throw .noProvider }
        tipped = amount
        return provider
    }

    /// Starts a payment by the customer. A zero amount is held from the wallet at once, since the payment provider
    /// cannot charge it.
    ///
    /// - Parameters:
    ///   - charge: the new attempt's id; set for a method that the payment provider charges.
    ///   - promotion: the discount that the platform pays.
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
            case .deskCash: .takeDeskCash
            }
        return apply(trigger) ?? []
    }

    /// Records a charge without the customer that was not permitted, so nothing was tried. An earlier attempt, with its
    /// charge and promo code, is over; its own statement line shows its end.
    mutating func refuseCharge(by tried: PaymentMethod, reason: String) -> [PaymentEffect] {
        guard let effects = apply(.notCharged) else { return [] }
        method = tried
        charge = nil
        promotion = nil
        refusal = reason
        return effects
    }

    /// Gives up an attempt that is still being asked about or waits for the customer's confirmation.
    ///
    /// - Returns: nil when there is no attempt.
    mutating func abandon() -> [PaymentEffect]? {
        guard let effects = apply(.abandoned) else { return nil }
        refusal = "abandoned"
        return effects
    }

    /// Applies the result of a charge.
    ///
    /// - Parameter reason: why the charge was refused or given up.
    /// - Returns: no effects when the charge is not the payment's last, or when the payment's state has no rule for the
    ///   result.
    mutating func hear(_ trigger: PaymentTrigger, of heard: UUID, reason: String? = nil) -> [PaymentEffect] {
        let before = state
        guard heard == charge, let effects = apply(trigger) else { return [] }
        switch state {
        case .due: refusal = reason ?? "card-declined"
        // The release was not asked for here.
        case .released where before != .releasing: refusal = "authorisation-lost"
        default: break
        }
        return effects
    }

    /// Returns nil when the current state has no rule for the trigger.
    private mutating func apply(_ trigger: PaymentTrigger) -> [PaymentEffect]? {
        guard let rule = PaymentRule.rule(from: state, trigger, method) else { return nil }
        state = rule.to
        version += 1
        return rule.effects
    }
}

extension Payment {
    /// Restores the stored values that may change.
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
