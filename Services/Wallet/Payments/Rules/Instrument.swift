import Foundation

/// What a charge is made with, as the payment provider knows it.
struct Instrument: Hashable, Sendable {
    let method: PaymentMethod
    /// At the payment provider; nil for PayPal, where nothing is known before.
    let reference: String?
    /// The payment provider's customer that it belongs to; nil for what is good for one payment.
    let customer: String?
    /// What the payment provider gave for the CVV that the owner has just typed.
    let cvvReference: String?
    /// Who pays, for the statement.
    let holder: String
    /// When its owner agreed that it is charged without being there; nil when he or she is.
    let consentedAt: Date?

    /// A stored card whose owner has just given the CVV.
    init(_ card: StoredCard, cvvReference: String) {
        self.init(
            method: .card, reference: card.reference, customer: card.customer, cvvReference: cvvReference,
            holder: card.holder)
    }

    /// A stored card whose owner is not there.
    ///
    /// - Returns: nil without the owner's consent.
    init?(byConsentOf card: StoredCard) {
        guard let consentedAt = card.consentedAt else { return nil }
        self.init(
            method: .card, reference: card.reference, customer: card.customer, cvvReference: nil, holder: card.holder,
            consentedAt: consentedAt)
    }

    /// A stored card that a subscription goes on with while its owner is not there: the wish to renew by it is the consent.
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
