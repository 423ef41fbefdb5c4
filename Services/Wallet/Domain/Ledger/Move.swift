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
