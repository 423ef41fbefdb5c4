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
}
