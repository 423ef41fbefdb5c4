/// A way to pay as the payment provider keeps it. One that belongs to no customer is good for one payment.
struct StoredMethod: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case card(TestCard)
        case payPal
    }

    var kind: Kind
    var customer: String?
    /// By a payment, or by being detached.
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
        // Its owner is always asked, at PayPal.
        case .payPal: .asks(offSession: true)
        }
    }
}
