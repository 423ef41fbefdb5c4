import Foundation

/// The payment instrument of a charge, as the payment provider knows it.
struct Instrument: Hashable, Sendable {
    let method: PaymentMethod
    /// The payment provider's id; nil for PayPal, where none exists beforehand.
    let reference: String?
    /// The payment provider's customer that owns the instrument; nil for an instrument that is good for one payment.
    let customer: String?
    /// The payment provider's reference for the CVV that the owner has just entered.
    let cvvReference: String?
    /// The payer's name for the statement.
    let holder: String
    /// When the owner agreed to charges in his or her absence; nil when the owner is present.
    let consentedAt: Date?

    /// A stored card whose owner has just entered the CVV.
    init(_ card: StoredCard, cvvReference: String) {
        self.init(
            method: .card, reference: card.reference, customer: card.customer, cvvReference: cvvReference,
            holder: card.holder)
    }

    /// A stored card whose owner is absent.
    ///
    /// - Returns: nil without the owner's consent.
    init?(byConsentOf card: StoredCard) {
        guard let consentedAt = card.consentedAt else { return nil }
        self.init(
            method: .card, reference: card.reference, customer: card.customer, cvvReference: nil, holder: card.holder,
            consentedAt: consentedAt)
    }

    /// A stored card that renews a subscription in the owner's absence: the owner's request to renew with it is the
    /// consent.
    init(renewing card: StoredCard, agreedAt: Date) {
        self.init(
            method: .card, reference: card.reference, customer: card.customer, cvvReference: nil, holder: card.holder,
            consentedAt: agreedAt)
    }

    init(
        method: PaymentMethod, reference: String?, customer: String? = nil, cvvReference: String? = nil,
        holder: String, consentedAt: Date? = nil
    ) {
        self.method = method
        self.reference = reference
        self.customer = customer
        self.cvvReference = cvvReference
        self.holder = holder
        self.consentedAt = consentedAt
    }
}
