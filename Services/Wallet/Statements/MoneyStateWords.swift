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

extension Refund {
    /// The column heads of the file.
    static let columns: [LocalizedText] = [
        ["en": "Refund", "ar": "الاسترداد"], ["en": "Date and time (UTC)", "ar": "التاريخ والوقت (UTC)"],
        ["en": "Order", "ar": "الطلب"], ["en": "Customer", "ar": "العميل"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "To", "ar": "إلى"], ["en": "State", "ar": "الحالة"], ["en": "Paid for by", "ar": "على حساب"],
        ["en": "Account that pays", "ar": "الحساب الدافع"], ["en": "Reason", "ar": "السبب"],
        ["en": "By", "ar": "بواسطة"],
    ]
}

extension CashOut {
    /// The column heads of the file.
    static let columns: [LocalizedText] = [
        ["en": "Cash-out", "ar": "السحب"], ["en": "Requested (UTC)", "ar": "وقت الطلب (UTC)"],
        ["en": "State", "ar": "الحالة"], ["en": "Account", "ar": "الحساب"], ["en": "Holder", "ar": "صاحب الحساب"],
        ["en": "Bank", "ar": "البنك"], ["en": "Last four digits", "ar": "آخر أربعة أرقام"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Reason", "ar": "السبب"], ["en": "Decided by", "ar": "صاحب القرار"],
        ["en": "Decided (UTC)", "ar": "وقت القرار (UTC)"],
    ]
}
