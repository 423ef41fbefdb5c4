import Foundation

/// What was to be given back through the payment provider and came back from there: a closed card, a bank that takes
/// nothing. It is its owner's in the wallet instead.
struct RefundReturn: Hashable, Sendable {
    /// The refund's own, or the one that was given back whole. At most one of each.
    let charge: UUID
    let account: UUID
    let market: String
    let currency: String
    /// Minor units.
    let amount: Int
    /// Nil of a top-up and a subscription.
    let order: UUID?
    /// What the ledger knows it by: the order, the top-up, or the subscription's period.
    let subject: UUID
    /// The refund whose line its customer's statement has; nil where there is none yet.
    let refund: UUID?
    /// What was paid for, by language.
    let title: [String: String]
    let beneficiary: String

    /// For one that no line tells of.
    func statementLine(platformName: String) -> StatementLine {
        StatementLine(
            account: account, source: "refundReturn:\(charge.uuidString.lowercased())", kind: .refund, market: market,
            currency: currency, amount: amount, order: order, method: .wallet, title: title, payer: platformName,
            beneficiary: beneficiary, state: .accepted, reason: nil)
    }
}
