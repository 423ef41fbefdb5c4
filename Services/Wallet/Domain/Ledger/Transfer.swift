import Foundation

/// Money that goes from one account to another. What leaves the one arrives at the other, so no transfer can change the
/// sum of a currency.
struct Move: Hashable, Sendable {
    let from: AccountReference
    let to: AccountReference
    /// Minor units, above zero.
    let amount: Int
    /// Whether it may take the source below its floor: what is owed is taken even where there is nothing.
    let overdraws: Bool

    /// Nil when there is nothing to move.
    init?(_ amount: Int, from: AccountReference, to: AccountReference, overdraws: Bool = false) {
        precondition(from.currency == to.currency, "money does not change its currency by moving")
        guard amount > 0 else { return nil }
        self.amount = amount
        self.from = from
        self.to = to
        self.overdraws = overdraws
    }
}

/// Moves that happen together, once for each key.
struct Transfer: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case hold, capture, commission, release, topUp }

    let id: UUID
    /// What it is, in words that are the same whenever it is tried: `capture:<order>`. Posted once.
    let key: String
    let kind: Kind
    /// The order or the top-up.
    let subject: UUID
    let currency: String
    let moves: [Move]

    init(id: UUID, _ kind: Kind, of subject: UUID, currency: String, _ moves: [Move?]) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.currency = currency
        self.moves = moves.compactMap { $0 }
        key = "\(kind.rawValue):\(subject.uuidString.lowercased())"
    }
}
