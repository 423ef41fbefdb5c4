import Foundation

/// The destination of a cash-out: a bank account or card, as the payment provider knows it and its owner recognizes it.
struct PayoutDestination: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case bankAccount, card }

    let kind: Kind
    /// The payment provider's id.
    let reference: String
    let holder: String
    /// Nil for cards.
    let bankName: String?
    /// ISO 3166 code; nil for cards.
    let country: String?
    let lastFour: String
    /// The payment provider's fingerprint of a bank account's number, equal for equal numbers; nil where unknown.
    var fingerprint: String?
}

/// A saved bank account.
struct BankAccount: Hashable, Sendable {
    /// The maximum number of bank accounts per account.
    static let limit = 10

    let id: UUID
    let account: UUID
    let destination: PayoutDestination
}
