import Contracts

extension PaymentMethod {
    /// The name that people know it by, as in every service.
    var name: LocalizedText { Market.words(forMethod: rawValue) ?? [:] }
}

extension PaymentState {
    /// The words of a state that others are told of; nil for one inside the wallet alone.
    var name: LocalizedText? { PaymentSnapshot.State(rawValue: rawValue)?.name }
}

extension TopUp.State {
    var name: LocalizedText {
        switch self {
        case .waiting: ["en": "Waiting", "ar": "قيد الانتظار"]
        case .completed: ["en": "In your wallet", "ar": "أُضيف إلى محفظتك"]
        case .refused: ["en": "Not accepted", "ar": "غير مقبول"]
        }
    }
}

extension CashOut.State {
    var name: LocalizedText {
        switch self {
        case .waiting: ["en": "Waiting for a decision", "ar": "بانتظار القرار"]
        case .paying: ["en": "Accepted, on its way", "ar": "مقبول وقيد التحويل"]
        case .paid: ["en": "Paid out", "ar": "صُرف"]
        case .failed: ["en": "The bank could not pay; the money is back", "ar": "تعذّر الصرف لدى البنك وعاد المبلغ"]
        case .rejected: ["en": "Rejected; the money is back", "ar": "مرفوض وعاد المبلغ"]
        }
    }
}

extension Refund.State {
    var name: LocalizedText {
        switch self {
        case .asked: ["en": "The bank is asked", "ar": "قيد الطلب لدى البنك"]
        case .made: ["en": "Given back", "ar": "أُعيد المبلغ"]
        }
    }
}

extension Refund.Destination {
    var name: LocalizedText {
        switch self {
        case .wallet: ["en": "Wallet", "ar": "المحفظة"]
        case .card: ["en": "Card", "ar": "بطاقة"]
        }
    }
}

extension Refund.Funder {
    var name: LocalizedText {
        switch self {
        case .platform: ["en": "Platform", "ar": "المنصة"]
        case .provider: ["en": "Provider", "ar": "مقدم الخدمة"]
        case .merchant: ["en": "Merchant", "ar": "المتجر"]
        case .hold: ["en": "Held money that was not needed", "ar": "مبلغ محجوز لم يُحتج إليه"]
        }
    }
}

extension PaymentState {
    /// The words of every state, for admins, who see the states inside the wallet too.
    var nameForAdmins: LocalizedText {
        switch self {
        case .requested: ["en": "Nobody has accepted the order yet", "ar": "لم يُقبل الطلب بعد"]
        case .due: PaymentSnapshot.State.due.name
        case .authorising: PaymentSnapshot.State.authorising.name
        case .held: PaymentSnapshot.State.held.name
        case .frozen: ["en": "Held until a report is decided", "ar": "محجوز حتى البت في البلاغ"]
        case .capturing: ["en": "Being taken from the card", "ar": "قيد الخصم من البطاقة"]
        case .captured: PaymentSnapshot.State.captured.name
        case .releasing: ["en": "Being given back", "ar": "قيد الإعادة"]
        case .released: PaymentSnapshot.State.released.name
        case .crediting: ["en": "On its way to the customer's wallet", "ar": "في طريقه إلى محفظة العميل"]
        case .credited: ["en": "In the customer's wallet", "ar": "أُضيف إلى محفظة العميل"]
        case .closed: ["en": "The order has ended without a payment", "ar": "انتهى الطلب دون دفع"]
        }
    }
}

extension FineState {
    var name: LocalizedText {
        switch self {
        case .unpaid: ["en": "Unpaid", "ar": "غير مدفوعة"]
        case .paid: ["en": "Paid", "ar": "مدفوعة"]
        }
    }
}

extension Subscription.State {
    var name: LocalizedText {
        switch self {
        case .none: ["en": "No subscription", "ar": "لا يوجد اشتراك"]
        case .active: ["en": "Active", "ar": "سارٍ"]
        case .expired: ["en": "Ended", "ar": "منتهٍ"]
        }
    }
}

extension Subscription.Method {
    var name: LocalizedText {
        switch self {
        case .wallet: PaymentSnapshot.Method.wallet.name
        case .card: PaymentSnapshot.Method.card.name
        }
    }
}

extension SubscriptionPlan.Period {
    var name: LocalizedText {
        switch self {
        case .monthly: ["en": "Monthly", "ar": "شهري"]
        case .yearly: ["en": "Yearly", "ar": "سنوي"]
        default: ["en": english, "ar": arabic]
        }
    }

    private var english: String {
        switch unit {
        case .days: count == 1 ? "1 day" : "\(count) days"
        case .weeks: count == 1 ? "1 week" : "\(count) weeks"
        case .months: count == 1 ? "1 month" : "\(count) months"
        }
    }

    /// One and two have forms of their own; three to ten are followed by a plural, eleven to ninety-nine by an accusative.
    private var arabic: String {
        let (one, two, few, many, other) =
            switch unit {
            case .days: ("يوم واحد", "يومان", "أيام", "يومًا", "يوم")
            case .weeks: ("أسبوع واحد", "أسبوعان", "أسابيع", "أسبوعًا", "أسبوع")
            case .months: ("شهر واحد", "شهران", "أشهر", "شهرًا", "شهر")
            }
        if count < 3 { return count == 1 ? one : two }
        return switch count % 100 {
        case 3...10: "\(count) \(few)"
        case 11...99: "\(count) \(many)"
        default: "\(count) \(other)"
        }
    }
}
