import Contracts

extension Transfer.Kind {
    /// The name of a transfer's kind, for admins.
    var name: LocalizedText {
        switch self {
        case .hold: ["en": "Held", "ar": "حجز"]
        case .capture: ["en": "Paid out to those who earned it", "ar": "توزيع على المستحقين"]
        case .commission: ["en": "Commission", "ar": "عمولة"]
        case .release: ["en": "Held money given back", "ar": "إعادة مبلغ محجوز"]
        case .topUp: ["en": "Top-up", "ar": "شحن الرصيد"]
        case .cashOut: ["en": "Cash-out", "ar": "سحب الرصيد"]
        case .cashOutReturn: ["en": "Cash-out given back", "ar": "إعادة مبلغ سحب"]
        case .payout: ["en": "Paid to the bank", "ar": "صرف إلى البنك"]
        case .payoutReturn: ["en": "Come back from the bank", "ar": "عودة مبلغ من البنك"]
        case .subscription: ["en": "Subscription", "ar": "اشتراك"]
        case .fine: ["en": "Fine for a late cancellation", "ar": "غرامة إلغاء متأخر"]
        case .tip: ["en": "Tip", "ar": "إكرامية"]
        case .deposit: ["en": "Deposit", "ar": "تأمين"]
        case .depositReturn: ["en": "Deposit given back", "ar": "إعادة التأمين"]
        case .depositForfeit: ["en": "Deposit lost", "ar": "مصادرة التأمين"]
        case .refund: ["en": "Refund", "ar": "استرداد"]
        case .refunded: ["en": "Refund made by the bank", "ar": "استرداد نفّذه البنك"]
        case .refundReturn: ["en": "Refund that failed, to the wallet", "ar": "استرداد تعذّر وأُضيف إلى المحفظة"]
        case .debtPaid: ["en": "A debt was paid", "ar": "سداد دين"]
        case .debtCancelled: ["en": "Waiting money was given up", "ar": "التنازل عن مبلغ منتظر"]
        case .writeOff: ["en": "A debt that the platform pays", "ar": "دين تتحمله المنصة"]
        case .topUpReturn: ["en": "Top-up given back to the card", "ar": "إعادة الشحن إلى البطاقة"]
        case .dispute: ["en": "Taken back by the bank", "ar": "مبلغ استعاده البنك"]
        case .disputeReturn: ["en": "Given back by the bank", "ar": "مبلغ أعاده البنك"]
        case .transfer: ["en": "Transfer", "ar": "تحويل"]
        case .reversal: ["en": "Transfer taken back", "ar": "إلغاء تحويل"]
        }
    }
}

extension AccountReference.Kind {
    /// The name of an account's kind in the ledger, for admins.
    var name: LocalizedText {
        switch self {
        case .wallet: ["en": "Wallet", "ar": "المحفظة"]
        case .escrow: ["en": "Held for the order", "ar": "محجوز للطلب"]
        case .hold: ["en": "Held money", "ar": "مبلغ محجوز"]
        case .deposit: ["en": "Deposit", "ar": "تأمين"]
        case .refund: ["en": "Refund on its way", "ar": "استرداد قيد التنفيذ"]
        case .platform: ["en": "Platform", "ar": "المنصة"]
        case .external: ["en": "Payment provider", "ar": "مزود الدفع"]
        case .cashOut: ["en": "Cash-out on its way", "ar": "سحب قيد التنفيذ"]
        case .promotion: ["en": "Promo codes", "ar": "الرموز الترويجية"]
        case .debt: ["en": "Money that a debtor owes", "ar": "مبلغ على مدين"]
        case .desk: ["en": "Cash of the desk", "ar": "نقد المكتب"]
        }
    }
}
