extension Market {
    /// The words for why a visit of a series was not ordered, or waits (P7). Each reason has some.
    public static func words(forVisitOfSeries reason: String) -> LocalizedText {
        switch reason {
        case "missed": ["en": "Its time passed before it could be ordered.", "ar": "مضى موعدها قبل أن يمكن طلبها."]
        case "unknown-service": ["en": "A service is not offered any more.", "ar": "إحدى الخدمات لم تعد متوفرة."]
        case "outside-opening-hours": ["en": "It is outside of the opening hours.", "ar": "خارج ساعات العمل."]
        case "outside-service-area":
            ["en": "The place is outside of the service area.", "ar": "المكان خارج نطاق الخدمة."]
        case "price-rose": ["en": "It costs more by now and waits for your yes.", "ar": "ارتفع سعرها وتنتظر موافقتك."]
        case "price-not-agreed": ["en": "You have not agreed to its new price.", "ar": "لم توافق على السعر الجديد."]
        case "not-linked", "relative-left":
            ["en": "Your relative is not linked to you any more.", "ar": "لم يعد قريبك مرتبطًا بحسابك."]
        case "account-blocked":
            [
                "en": "A fine for a late cancellation has to be paid first.",
                "ar": "يجب دفع غرامة الإلغاء المتأخر أولًا.",
            ]
        case "payment-method-required": ["en": "A card has to be stored first.", "ar": "يجب حفظ بطاقة أولًا."]
        case "unknown-provider":
            [
                "en": "The care partner whom you prefer is not there any more.",
                "ar": "لم يعد شريك الرعاية الذي تفضله متاحًا.",
            ]
        case "not-a-customer", "customer-banned":
            ["en": "You are no customer here at present.", "ar": "لست عميلًا هنا حاليًا."]
        case "not-in-market": ["en": "It is not offered here any more.", "ar": "لم تعد متوفرة هنا."]
        default: ["en": "It could not be ordered.", "ar": "تعذر طلبها."]
        }
    }

    /// The words for why a series has ended.
    public static func words(forEndOfSeries reason: String) -> LocalizedText {
        switch reason {
        case "over": ["en": "All its visits are over.", "ar": "انتهت جميع مواعيدها."]
        case "relative-left": ["en": "The account of your relative is deleted.", "ar": "حُذف حساب قريبك."]
        case "relative-banned", "relative-removed":
            ["en": "Your relative is no customer here any more.", "ar": "لم يعد قريبك عميلًا هنا."]
        default: ["en": "You are no customer here any more.", "ar": "لم تعد عميلًا هنا."]
        }
    }
}
