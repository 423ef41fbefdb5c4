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
    /// What the receiver of an overdraft reads of it.
    let owed: Owed?

    /// Where somebody is told of money that a debtor's wallet has not got.
    struct Owed: Hashable, Sendable {
        let market: String
        let order: UUID
        /// The source of the receiver's line in the statement.
        let line: String
    }

    /// Whether what the source has not got waits for the receiver instead of being credited.
    var waitsForDebtor: Bool { overdraws && from.kind == .wallet && to.kind == .wallet && from != to }

    /// Nil when there is nothing to move.
    init?(_ amount: Int, from: AccountReference, to: AccountReference, overdraws: Bool = false, owed: Owed? = nil) {
        precondition(from.currency == to.currency, "money does not change its currency by moving")
        guard amount > 0 else { return nil }
        self.amount = amount
        self.from = from
        self.to = to
        self.overdraws = overdraws
        self.owed = owed
    }
}
