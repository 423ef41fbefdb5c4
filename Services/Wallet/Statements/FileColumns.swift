import Contracts

// The column heads of the files for a market's admins.

extension Refund {
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
    static let columns: [LocalizedText] = [
        ["en": "Cash-out", "ar": "السحب"], ["en": "Requested (UTC)", "ar": "وقت الطلب (UTC)"],
        ["en": "State", "ar": "الحالة"], ["en": "Account", "ar": "الحساب"], ["en": "Holder", "ar": "صاحب الحساب"],
        ["en": "Bank", "ar": "البنك"], ["en": "Last four digits", "ar": "آخر أربعة أرقام"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Reason", "ar": "السبب"], ["en": "Decided by", "ar": "صاحب القرار"],
        ["en": "Decided (UTC)", "ar": "وقت القرار (UTC)"],
    ]
}

extension Payment {
    static let columns: [LocalizedText] = [
        ["en": "Order", "ar": "الطلب"], ["en": "Date and time (UTC)", "ar": "التاريخ والوقت (UTC)"],
        ["en": "State", "ar": "الحالة"], ["en": "Paid by", "ar": "طريقة الدفع"],
        ["en": "Customer's account", "ar": "حساب العميل"], ["en": "Customer", "ar": "العميل"],
        ["en": "Provider's account", "ar": "حساب مقدم الخدمة"], ["en": "Provider", "ar": "مقدم الخدمة"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"],
        ["en": "Discount in minor units", "ar": "الخصم بالوحدة الصغرى"],
        ["en": "Platform's share in minor units", "ar": "حصة المنصة بالوحدة الصغرى"],
        ["en": "Commission in basis points", "ar": "العمولة بنقاط الأساس"], ["en": "Currency", "ar": "العملة"],
        ["en": "Why it was refused", "ar": "سبب الرفض"],
    ]
}

extension Fine {
    static let columns: [LocalizedText] = [
        ["en": "Order", "ar": "الطلب"], ["en": "Charged (UTC)", "ar": "وقت الغرامة (UTC)"],
        ["en": "State", "ar": "الحالة"], ["en": "Account", "ar": "الحساب"],
        ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Provider's account", "ar": "حساب مقدم الخدمة"],
        ["en": "Provider's share in minor units", "ar": "حصة مقدم الخدمة بالوحدة الصغرى"],
        ["en": "Platform's share in minor units", "ar": "حصة المنصة بالوحدة الصغرى"],
        ["en": "To be paid until (UTC)", "ar": "تُدفع حتى (UTC)"], ["en": "Paid (UTC)", "ar": "وقت الدفع (UTC)"],
    ]
}

extension DayFigures {
    static let columns: [LocalizedText] = [
        ["en": "Day", "ar": "اليوم"], ["en": "Refunds", "ar": "المبالغ المردودة"],
        ["en": "Refunds in minor units", "ar": "المبالغ المردودة بالوحدة الصغرى"],
        ["en": "Cash-outs paid", "ar": "السحوبات المدفوعة"],
        ["en": "Cash-outs paid in minor units", "ar": "السحوبات المدفوعة بالوحدة الصغرى"],
        ["en": "Fines", "ar": "الغرامات"], ["en": "Fines in minor units", "ar": "الغرامات بالوحدة الصغرى"],
        ["en": "Paid of the fines in minor units", "ar": "المدفوع من الغرامات بالوحدة الصغرى"],
        ["en": "Given back of the fines in minor units", "ar": "المردود من الغرامات بالوحدة الصغرى"],
        ["en": "Currency", "ar": "العملة"],
    ]
}

extension Subscription {
    static let columns: [LocalizedText] = [
        ["en": "Subscription", "ar": "الاشتراك"], ["en": "Account", "ar": "الحساب"], ["en": "Name", "ar": "الاسم"],
        ["en": "Plan's id", "ar": "معرّف الخطة"], ["en": "Plan", "ar": "الخطة"], ["en": "State", "ar": "الحالة"],
        ["en": "Begin (UTC)", "ar": "البداية (UTC)"], ["en": "End (UTC)", "ar": "النهاية (UTC)"],
        ["en": "Price in minor units", "ar": "السعر بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Paid by", "ar": "طريقة الدفع"], ["en": "Renews", "ar": "يتجدد"],
        ["en": "Renews by", "ar": "يتجدد بواسطة"],
    ]

    /// The cell of a file that says whether a subscription renews.
    static func renewal(_ renews: Bool) -> LocalizedText {
        renews ? ["en": "yes", "ar": "نعم"] : ["en": "no", "ar": "لا"]
    }
}

extension SubscriptionPlan {
    /// The columns of the file with the plans' earnings.
    static let columns: [LocalizedText] = [
        ["en": "Plan's id", "ar": "معرّف الخطة"], ["en": "Plan", "ar": "الخطة"], ["en": "Period", "ar": "المدة"],
        ["en": "Price in minor units", "ar": "السعر بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Ended (UTC)", "ar": "وقت الإنهاء (UTC)"], ["en": "Subscribers", "ar": "المشتركون"],
        ["en": "Paid periods", "ar": "المدد المدفوعة"], ["en": "Renewals", "ar": "التجديدات"],
        ["en": "Profit in minor units", "ar": "الربح بالوحدة الصغرى"],
    ]
}

extension CommissionFigures {
    static let columns: [LocalizedText] = [
        ["en": "Earned by", "ar": "صاحب الدخل"], ["en": "Commission in basis points", "ar": "العمولة بنقاط الأساس"],
        ["en": "Payments", "ar": "المدفوعات"], ["en": "Revenue in minor units", "ar": "الدخل بالوحدة الصغرى"],
        ["en": "Commission in minor units", "ar": "العمولة بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
    ]

    /// The name of who earned it.
    static func name(ofParty party: String) -> LocalizedText? { Refund.Funder(rawValue: party)?.name }

    /// The file's line of the fines.
    static let fines: LocalizedText = ["en": "Fines", "ar": "الغرامات"]
}

extension PromoCode {
    static let columns: [LocalizedText] = [
        ["en": "Promo code's id", "ar": "معرّف الرمز الترويجي"], ["en": "Promo code", "ar": "الرمز الترويجي"],
        ["en": "Made (UTC)", "ar": "وقت الإنشاء (UTC)"],
        ["en": "Discount in basis points", "ar": "الخصم بنقاط الأساس"],
        ["en": "Largest discount in minor units", "ar": "أكبر خصم بالوحدة الصغرى"],
        ["en": "Discount in minor units", "ar": "الخصم بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
        ["en": "Begin (UTC)", "ar": "البداية (UTC)"], ["en": "End (UTC)", "ar": "النهاية (UTC)"],
        ["en": "Ended by an admin (UTC)", "ar": "أنهاه مشرف (UTC)"],
        ["en": "Smallest price in minor units", "ar": "أقل سعر بالوحدة الصغرى"],
        ["en": "Limit of uses", "ar": "حد الاستخدام"],
        ["en": "Limit of uses of one account", "ar": "حد استخدام الحساب الواحد"], ["en": "Uses", "ar": "الاستخدامات"],
        ["en": "Discounts in minor units", "ar": "الخصومات بالوحدة الصغرى"],
        ["en": "Uses of captured payments", "ar": "استخدامات المدفوعات المكتملة"],
        ["en": "Discounts of captured payments in minor units", "ar": "خصومات المدفوعات المكتملة بالوحدة الصغرى"],
    ]
}

extension Dispute {
    static let columns: [LocalizedText] = [
        ["en": "Dispute", "ar": "الاعتراض"], ["en": "Date and time (UTC)", "ar": "التاريخ والوقت (UTC)"],
        ["en": "Kind", "ar": "النوع"], ["en": "State", "ar": "الحالة"], ["en": "Account", "ar": "الحساب"],
        ["en": "Order", "ar": "الطلب"], ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"],
        ["en": "Taken from the wallet in minor units", "ar": "المأخوذ من المحفظة بالوحدة الصغرى"],
        ["en": "Currency", "ar": "العملة"], ["en": "Freezes the wallet", "ar": "يجمّد المحفظة"],
        ["en": "Reason", "ar": "السبب"],
    ]
}

extension Approval {
    static let columns: [LocalizedText] = [
        ["en": "Approval", "ar": "الموافقة"], ["en": "Kind", "ar": "النوع"], ["en": "State", "ar": "الحالة"],
        ["en": "About", "ar": "الموضوع"], ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"],
        ["en": "Currency", "ar": "العملة"], ["en": "Begun by", "ar": "بدأها"],
        ["en": "Begun (UTC)", "ar": "وقت البدء (UTC)"], ["en": "Decided by", "ar": "صاحب القرار"],
        ["en": "Decided (UTC)", "ar": "وقت القرار (UTC)"], ["en": "Reason", "ar": "السبب"],
    ]
}

extension ListDebtors {
    static let columns: [LocalizedText] = [
        ["en": "Account", "ar": "الحساب"],
        ["en": "What others wait for in minor units", "ar": "ما ينتظره الآخرون بالوحدة الصغرى"],
        ["en": "Currency", "ar": "العملة"], ["en": "Receivers", "ar": "المستحقون"],
        ["en": "Since (UTC)", "ar": "منذ (UTC)"],
    ]
}

extension WriteOff {
    static let columns: [LocalizedText] = [
        ["en": "Write-off", "ar": "الشطب"], ["en": "Date and time (UTC)", "ar": "التاريخ والوقت (UTC)"],
        ["en": "Account", "ar": "الحساب"], ["en": "Amount in minor units", "ar": "المبلغ بالوحدة الصغرى"],
        ["en": "Currency", "ar": "العملة"], ["en": "Reason", "ar": "السبب"], ["en": "By", "ar": "بواسطة"],
        ["en": "Approved by", "ar": "وافق عليه"],
    ]
}
