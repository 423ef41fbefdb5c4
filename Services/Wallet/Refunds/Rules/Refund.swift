import Foundation

/// Money returned to an order's customer: by an admin's decision, or because the order cost less than was held.
struct Refund: Hashable, Sendable {
    enum Destination: String, Sendable, CaseIterable, Codable { case wallet, card }

    enum Funder: String, Sendable, CaseIterable, Codable {
        case platform, provider, merchant
        /// The held money that the order did not need.
        case hold
    }

    enum State: String, Sendable, CaseIterable {
        /// The payment provider is being asked. The money is in the refund's own account.
        case asked
        case made
    }

    let id: UUID
    let order: UUID
    let market: String
    let customer: UUID
    let currency: String
    /// Minor units.
    let amount: Int
    let destination: Destination
    let funder: Funder
    /// The account whose wallet pays; nil for the platform and the hold.
    let funderAccount: UUID?
    /// The admin's reason.
    let reason: String
    /// The admin; nil for an automatic refund.
    let by: UUID?
    let at: Date
    private(set) var state: State
    /// Minor units that the funder did not have and now owes. The platform bears them until they are paid.
    var overdrawn = 0

    init(
        id: UUID, order: UUID, market: String, customer: UUID, currency: String, amount: Int, destination: Destination,
        funder: Funder, funderAccount: UUID?, reason: String, by: UUID?, at: Date, state: State? = nil
    ) {
        self.id = id
        self.order = order
        self.market = market
        self.customer = customer
        self.currency = currency
        self.amount = amount
        self.destination = destination
        self.funder = funder
        self.funderAccount = funderAccount
        self.reason = reason
        self.by = by
        self.at = at
        self.state = state ?? (destination == .wallet ? .made : .asked)
    }

    /// Applies its charge's state.
    ///
    /// - Returns: whether the refund was made just now.
    mutating func hear(_ charge: Charge.State) -> Bool {
        guard state == .asked, charge == .refunded else { return false }
        state = .made
        return true
    }

    /// The charge that asks the payment provider for the refund: the original payment intent with this amount.
    func charge(of original: Charge, id: UUID) -> Charge {
        original.givingBack(amount, for: self.id, id: id, at: at)
    }
}

extension Charge {
    /// Makes a charge that refunds an amount of this one.
    ///
    /// - Parameter subject: the refund, or the top-up whose rest is returned.
    func givingBack(_ amount: Int, for subject: UUID, id: UUID, at: Date) -> Charge {
        Charge(
            id: id, purpose: .refund, subject: subject, amount: amount, currency: currency, card: card,
            cvvReference: nil, method: method, customer: customer, madeAt: at, state: .captured, goal: .cancel,
            reference: reference)
    }
}
