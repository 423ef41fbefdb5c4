/// How an order is paid, or a wallet filled.
enum PaymentMethod: String, Sendable, CaseIterable {
    case card, wallet, cash
    /// What a phone's wallet gives for a card: no CVV, good for one payment.
    case applePay, googlePay
    /// The customer says yes at PayPal.
    case payPal

    /// Whether the payment provider takes the money.
    var isCharged: Bool {
        switch self {
        case .card, .applePay, .googlePay, .payPal: true
        case .wallet, .cash: false
        }
    }

    /// Of these a phone's wallet gives a token.
    var isPhoneWallet: Bool { self == .applePay || self == .googlePay }

    /// A name that is the same in all languages; nil where there is none.
    var properName: String? {
        switch self {
        case .card, .wallet, .cash: nil
        case .applePay: "Apple Pay"
        case .googlePay: "Google Pay"
        case .payPal: "PayPal"
        }
    }
}
