import Foundation

/// A stored card: the payment provider's reference, and what the owner recognizes it by.
struct StoredCard: Hashable, Sendable {
    /// The maximum number of cards per account.
    static let limit = 20

    let id: UUID
    let account: UUID
    /// The payment provider's id.
    let reference: String
    let brand: String
    let lastFour: String
    let expiry: CardExpiry
    let holder: String
    /// The payment provider's customer that owns the card.
    var customer: String?
    /// Whether the card is its account's default; one card of an account is.
    var isDefault = false
    /// When the owner agreed that recurring orders charge the card without the CVV.
    var consentedAt: Date?
    /// The payment provider's fingerprint of the number, equal for equal numbers; nil where unknown.
    var fingerprint: String?
}
