import Contracts

// The words of what admins decide about, in files.

extension Dispute.Kind {
    var name: LocalizedText {
        switch self {
        case .dispute: ["en": "Disputed at the bank", "ar": "اعتراض لدى البنك"]
        case .refund: ["en": "Given back at the payment provider", "ar": "رُدّ لدى مزود الدفع"]
        }
    }
}

extension Dispute.State {
    var name: LocalizedText {
        switch self {
        case .inquiry: ["en": "The bank asks", "ar": "استفسار من البنك"]
        case .open: ["en": "Open", "ar": "مفتوح"]
        case .won: ["en": "Won", "ar": "كُسب"]
        case .lost: ["en": "Lost", "ar": "خُسر"]
        case .dismissed: ["en": "Dropped", "ar": "أُسقط"]
        case .made: ["en": "Made", "ar": "تم"]
        }
    }
}

extension Approval.Kind {
    var name: LocalizedText {
        switch self {
        case .cashOut: ["en": "Cash-out", "ar": "سحب"]
        case .refund: ["en": "Refund", "ar": "رد مبلغ"]
        case .promoCode: ["en": "Promo code", "ar": "رمز خصم"]
        case .writeOff: ["en": "Write-off", "ar": "شطب دين"]
        }
    }
}

extension Approval.State {
    var name: LocalizedText {
        switch self {
        case .waiting: ["en": "Waits for a second admin", "ar": "بانتظار مشرف ثانٍ"]
        case .approved: ["en": "Approved", "ar": "تمت الموافقة"]
        case .rejected: ["en": "Rejected", "ar": "مرفوض"]
        }
    }
}
