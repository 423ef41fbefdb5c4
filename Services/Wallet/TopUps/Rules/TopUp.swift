import Foundation

/// Money put into a wallet with a card or another method that the payment provider charges.
struct TopUp: Hashable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// The payment provider is being asked.
        case waiting
        case completed
        case refused
    }

    let id: UUID
    let account: UUID
    let market: String
    let currency: String
    /// Minor units.
    let amount: Int
    /// The name on the card; for other methods, the method's own name.
    let holder: String
    let method: PaymentMethod
    private(set) var state = State.waiting
    private(set) var reason: String?

    init(
        id: UUID, account: UUID, market: String, currency: String, amount: Int, holder: String,
        method: PaymentMethod = .card, state: State = .waiting, reason: String? = nil
    ) {
        self.id = id
        self.account = account
        self.market = market
        self.currency = currency
        self.amount = amount
        self.holder = holder
        self.method = method
        self.state = state
        self.reason = reason
    }

    /// Applies a charge's state. A captured charge counts even after the top-up was given up, since the money has come.
    ///
    /// - Returns: whether anything changed.
    mutating func hear(_ state: Charge.State, reason newReason: String?) -> Bool {
        switch state {
        case .captured where self.state != .completed:
            self.state = .completed
            reason = nil
        case .declined where self.state == .waiting, .cancelled where self.state == .waiting,
            .lapsed where self.state == .waiting, .refunded where self.state == .waiting:
            self.state = .refused
            reason = newReason ?? "card-declined"
        default: return false
        }
        return true
    }
}
