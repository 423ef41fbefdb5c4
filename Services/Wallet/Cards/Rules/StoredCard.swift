import Foundation

/// A card as it is kept: the payment provider's reference and what its owner recognizes it by.
struct StoredCard: Hashable, Sendable {
    /// Cards that an account can have.
    static let limit = 20

    let id: UUID
    let account: UUID
    /// At the payment provider.
    let reference: String
    let brand: String
    let lastFour: String
    let expiry: CardExpiry
    let holder: String
    /// The payment provider's customer that it belongs to.
    var customer: String?
    /// Of an account's cards one is.
    var isDefault = false
    /// When its owner agreed that recurring orders charge it without being asked for the CVV.
    var consentedAt: Date?
}
