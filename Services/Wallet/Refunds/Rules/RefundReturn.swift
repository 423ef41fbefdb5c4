import Foundation

/// A refund that failed at the payment provider, for example because the card is closed. Its amount goes to the owner's
/// wallet instead.
struct RefundReturn: Hashable, Sendable {
    /// The refund's charge, or the charge that was refunded whole. At most one return of each.
    let charge: UUID
    let account: UUID
    let market: String
    let currency: String
    /// Minor units.
    let amount: Int
    /// Nil for a top-up and a subscription.
    let order: UUID?
    /// The subject in the ledger: the order, the top-up or the subscription period.
    let subject: UUID
    /// The refund that already has a line in the customer's statement; nil if there is none.
    let refund: UUID?
    /// The title of the refunded order, by language.
    let title: [String: String]
    let beneficiary: String

    /// The statement line for a return without an earlier line.
    func statementLine(platformName: String) -> StatementLine {
        StatementLine(
            account: account, source: "refundReturn:\(charge.uuidString.lowercased())", kind: .refund, market: market,
            currency: currency, amount: amount, order: order, method: .wallet, title: title, payer: platformName,
            beneficiary: beneficiary, state: .accepted, reason: nil)
    }
}
