import Foundation

/// One amount that moves from one account to another. Both entries are made from it, so no transfer can change the sum
/// of a currency.
struct Move: Hashable, Sendable {
    let from: AccountReference
    let to: AccountReference
    /// Minor units, above zero.
    let amount: Int
    /// Whether the move may take the source below its floor, because the amount is owed.
    let overdraws: Bool
    /// Where to report the part that waits for the debtor.
    let owed: DebtNotice?

    /// The market, order and statement line through which a receiver learns that money waits for a debtor.
    struct DebtNotice: Hashable, Sendable {
        let market: String
        let order: UUID
        /// The source of the receiver's statement line.
        let line: String
        /// True if the receiver also gets the notice of a fine, which tells of the waiting share.
        var isOfFine = false
    }

    /// Whether the part that the source does not have becomes a debt instead of being credited to the receiver.
    var waitsForDebtor: Bool { overdraws && from.kind == .wallet && to.kind == .wallet && from != to }

    /// Returns nil for a zero or negative amount.
    init?(_ amount: Int, from: AccountReference, to: AccountReference, overdraws: Bool = false, owed: DebtNotice? = nil)
    {
        precondition(from.currency == to.currency, "money does not change its currency by moving")
        guard amount > 0 else { return nil }
        self.amount = amount
        self.from = from
        self.to = to
        self.overdraws = overdraws
        self.owed = owed
    }
}
