extension PaymentSnapshot.Method {
    /// The name that people know it by.
    public var name: LocalizedText {
        switch self {
        case .card: ["en": "Card", "ar": "بطاقة"]
        case .wallet: ["en": "Wallet", "ar": "المحفظة"]
        case .cash: ["en": "Cash", "ar": "نقدًا"]
        case .applePay: ["en": "Apple Pay", "ar": "Apple Pay"]
        case .googlePay: ["en": "Google Pay", "ar": "Google Pay"]
        case .payPal: ["en": "PayPal", "ar": "PayPal"]
        case .deskCash: ["en": "Cash at the desk", "ar": "نقدًا لدى المكتب"]
        }
    }
}

extension PaymentSnapshot.State {
    /// The state as its payer understands it.
    public var name: LocalizedText {
        switch self {
        case .due: ["en": "To be paid", "ar": "بانتظار الدفع"]
        case .authorising: ["en": "The bank is asked", "ar": "قيد التحقق لدى البنك"]
        case .held: ["en": "Paid, and held until the order ends", "ar": "مدفوع ومحجوز حتى انتهاء الطلب"]
        case .captured: ["en": "Paid", "ar": "مدفوع"]
        case .released: ["en": "Given back", "ar": "أُعيد المبلغ"]
        }
    }
}

extension Market {
    /// The name of a payment method; nil for one that this version does not know.
    public static func words(forMethod id: String) -> LocalizedText? { PaymentSnapshot.Method(rawValue: id)?.name }

    /// Whether an order is paid, as its parties read it (Assef U18).
    public static func words(forPayment state: OrderSnapshot.Payment.State) -> LocalizedText {
        switch state {
        case .unpaid: ["en": "Unpaid", "ar": "غير مدفوع"]
        case .held, .captured: ["en": "Paid", "ar": "مدفوع"]
        case .released: ["en": "Given back", "ar": "أُعيد المبلغ"]
        }
    }
}
