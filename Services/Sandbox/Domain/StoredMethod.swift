/// A payment method at the payment provider. Without a customer it is valid for one payment.
struct StoredMethod: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case card(TestCard)
        case payPal
    }

    var kind: Kind
    var customer: String?
    /// Set by a payment without a customer, or by detaching.
    var isUsedUp = false

    var type: String {
        switch kind {
        case .card: "card"
        case .payPal: "paypal"
        }
    }

    var behaviour: TestCard.Behaviour {
        switch kind {
        case .card(let card): card.behaviour
        // PayPal always asks its user.
        case .payPal: .asks(offSession: true)
        }
    }
}
