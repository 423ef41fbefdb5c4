/// How an order is paid or a wallet topped up.
enum PaymentMethod: String, Sendable, CaseIterable {
    case card, wallet, cash
    /// A token from Apple Pay or Google Pay: no CVV, good for one payment.
    case applePay, googlePay
    /// The customer confirms at PayPal.
    case payPal
    /// Cash that an admin took at the desk. No customer chooses it. Unlike cash that a provider collects it is the
    /// platform's money, so it lies in escrow like money from outside.
    case deskCash

    /// Whether the payment provider takes the money.
    var isCharged: Bool {
        switch self {
        case .card, .applePay, .googlePay, .payPal: true
        case .wallet, .cash, .deskCash: false
        }
    }

    /// Whether a phone's wallet app gives a token.
    var isPhoneWallet: Bool { self == .applePay || self == .googlePay }

    /// A name that is the same in all languages; nil if the name must be translated.
    var properName: String? {
        switch self {
        case .card, .wallet, .cash, .deskCash: nil
        case .applePay: "Apple Pay"
        case .googlePay: "Google Pay"
        case .payPal: "PayPal"
        }
    }
}
