import Foundation

/// Money that goes back to who paid for an order: by an admin's word, or because the order cost less than was held.
struct Refund: Hashable, Sendable {
    enum Destination: String, Sendable, CaseIterable, Codable { case wallet, card }

    enum Funder: String, Sendable, CaseIterable, Codable {
        case platform, provider, merchant
        /// What was held for the order and is not needed.
        case hold
    }

    enum State: String, Sendable, CaseIterable {
        /// The payment provider is being asked. The money is in an account of the refund's own.
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
    /// Whose wallet it comes from; nil for the platform and the hold.
    let funderAccount: UUID?
    /// The admin's words.
    let reason: String
    /// The admin; nil where nobody asked for it.
    let by: UUID?
    let at: Date
    private(set) var state: State
    /// What of it whoever funds it did not have, and owes now: the platform's money until that is paid. Minor units.
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

    /// Takes notice of its charge.
    ///
    /// - Returns: whether it is made now and was not before.
    mutating func hear(_ charge: Charge.State) -> Bool {
        guard state == .asked, charge == .refunded else { return false }
        state = .made
        return true
    }

    /// The request to the payment provider: the captured charge again, for this amount, to be given back.
    func charge(of original: Charge, id: UUID) -> Charge {
        original.givingBack(amount, for: self.id, id: id, at: at)
    }
}

extension Charge {
    /// The request to give back an amount of it: it again, for this amount, to be given back.
    ///
    /// - Parameter subject: the refund, or the top-up of which what is left goes back.
    func givingBack(_ amount: Int, for subject: UUID, id: UUID, at: Date) -> Charge {
        Charge(
            id: id, purpose: .refund, subject: subject, amount: amount, currency: currency, card: card,
            cvvReference: nil, method: method, customer: customer, madeAt: at, state: .captured, goal: .cancel,
            reference: reference)
    }
}
