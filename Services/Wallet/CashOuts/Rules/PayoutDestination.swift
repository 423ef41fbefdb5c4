import Foundation

/// Where a cash-out goes: a bank account or a card, as the payment provider knows it and its owner recognizes it.
struct PayoutDestination: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case bankAccount, card }

    let kind: Kind
    /// At the payment provider.
    let reference: String
    let holder: String
    /// Nil for cards.
    let bankName: String?
    /// ISO 3166, of bank accounts.
    let country: String?
    let lastFour: String
    /// Of a bank account: the payment provider's word for its number, the same for the same number; nil where it is not
    /// known.
    var fingerprint: String?
}

/// A bank account that its owner has saved.
struct BankAccount: Hashable, Sendable {
    /// Bank accounts that an account can have.
    static let limit = 10

    let id: UUID
    let account: UUID
    let destination: PayoutDestination
}
