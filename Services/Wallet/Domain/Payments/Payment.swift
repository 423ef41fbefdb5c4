import Foundation

/// What an order costs and how far it is paid. One for each order.
struct Payment: Hashable, Sendable {
    let id: UUID
    let order: UUID
    let market: String
    let customer: UUID
    let customerName: String
    /// Nil when the order ended before it had one.
    let provider: UUID?
    let providerName: String?
    /// What is paid for, by language.
    let title: [String: String]
    let currency: String
    /// Minor units.
    let amount: Int
    /// As the market's setting was when the order was accepted.
    let commissionBasisPoints: Int

    /// Of the newest snapshot that was heard; 0 before the first.
    private(set) var orderVersion = 0
    /// The order's state in dispatch's words.
    private(set) var orderState = ""
    private(set) var state = PaymentState.due
    /// How it is paid, or was last tried.
    private(set) var method: PaymentMethod?
    /// The last attempt by card.
    private(set) var charge: UUID?
    /// Why the last attempt by card failed.
    private(set) var refusal: String?
    private(set) var version = 1

    init(
        id: UUID, order: UUID, market: String, customer: UUID, customerName: String, provider: UUID?,
        providerName: String?, title: [String: String], currency: String, amount: Int, commissionBasisPoints: Int
    ) {
        self.id = id
        self.order = order
        self.market = market
        self.customer = customer
        self.customerName = customerName
        self.provider = provider
        self.providerName = providerName
        self.title = title
        self.currency = currency
        self.amount = amount
        self.commissionBasisPoints = commissionBasisPoints
    }

    var shares: Shares { Shares(of: amount, commissionBasisPoints: commissionBasisPoints) }

    /// Whether its money lies in escrow.
    var isInEscrow: Bool { method != .cash && [.held, .capturing, .releasing].contains(state) }

    /// Takes notice of the order's state. Older snapshots and repeats are passed over.
    ///
    /// - Returns: what that does to the payment, in the order in which it is to be done.
    mutating func follow(orderState newState: String, version newVersion: Int) -> [PaymentEffect] {
        guard newVersion > orderVersion else { return [] }
        orderVersion = newVersion
        orderState = newState
        switch newState {
        case "completed": return apply(.completed) ?? []
        case "cancelled", "refused", "expired": return apply(.ended) ?? []
        default: return []
        }
    }

    /// The customer pays.
    ///
    /// - Parameter charge: the new attempt's id, with a card.
    mutating func pay(by chosen: PaymentMethod, charge newCharge: UUID? = nil) throws(PaymentRefusal) -> [PaymentEffect]
    {
        guard state == .due else { throw PaymentRefusal(payment: self) }
        method = chosen
        charge = newCharge
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
        guard heard == charge, let effects = apply(trigger) else { return [] }
        if state == .due { refusal = reason ?? "card-declined" }
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
        orderVersion: Int, orderState: String, state: PaymentState, method: PaymentMethod?, charge: UUID?,
        refusal: String?, version: Int
    ) {
        self.orderVersion = orderVersion
        self.orderState = orderState
        self.state = state
        self.method = method
        self.charge = charge
        self.refusal = refusal
        self.version = version
    }
}
