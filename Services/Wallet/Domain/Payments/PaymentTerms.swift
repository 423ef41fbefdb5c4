import Foundation

/// What is paid for, to whom, and how it is divided. Agreed when the order is accepted.
struct PaymentTerms: Hashable, Sendable {
    /// Nil when the order has none.
    var provider: UUID?
    var providerName: String?
    /// What is paid for, by language.
    var title: [String: String]
    /// Minor units.
    var amount: Int
    /// As the market's setting was when the order was accepted.
    var commissionBasisPoints: Int
}
