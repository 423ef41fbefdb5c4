extension Market {
    /// The words of the platform's own reasons (``OrderSnapshot/reasons``), for markets without their own words for
    /// them. Each reason has words, so that no slug reaches a person.
    static let systemReasons: [ReportReason] = [
        system("accept-window-over", "There was no answer in time", "لم يصل رد في الوقت المحدد"),
        system("assignment-window-over", "Who was asked did not answer in time", "لم يرد المكلَّف في الوقت المحدد"),
        system(
            "confirmation-window-over", "It was confirmed by itself, because nobody said otherwise",
            "تم التأكيد تلقائيًا لعدم ورود اعتراض"),
        system("customer-banned", "The customer may not order here at present", "لا يمكن للعميل الطلب هنا حاليًا"),
        system("customer-no-show", "The customer was not there", "لم يكن العميل موجودًا"),
        system("declined", "Who was asked cannot come", "اعتذر من عُرض عليه الطلب"),
        system(
            "delivered-late", "It was delivered after its time, so the pay is lower",
            "وصل الطرد بعد موعده فانخفض الأجر"),
        system("deposit-refused", "The deposit could not be locked", "تعذر حجز مبلغ التأمين"),
        system("deposit-window-over", "The deposit was not locked in time", "لم يُحجز مبلغ التأمين في الوقت المحدد"),
        system("given-up", "Who had it cannot do it after all", "تعذر التنفيذ على من تولّى الطلب"),
        system("merchant-banned", "The seller may not sell here at present", "لا يمكن للبائع البيع هنا حاليًا"),
        system("no-show", "Nobody came in time", "لم يحضر أحد في الوقت المحدد"),
        system("nobody-confirmed", "Nobody said that the work is done", "لم يؤكد أحد إتمام العمل"),
        system("nobody-found", "Nobody was found in time", "لم يُعثر على أحد في الوقت المحدد"),
        system("not-brought-back", "It was not brought back in time", "لم تتم الإعادة في الوقت المحدد"),
        system("not-delivered", "It was not delivered in time", "لم يتم التوصيل في الوقت المحدد"),
        system("not-finished", "Nobody said that it is finished", "لم يُؤكَّد الانتهاء"),
        system("not-picked-up", "It was not picked up in time", "لم يتم الاستلام في الوقت المحدد"),
        system("not-started", "It did not begin in time", "لم يبدأ التنفيذ في الوقت المحدد"),
        system(
            "offer-window-over", "Who was asked did not answer in time",
            "لم يرد من عُرض عليه الطلب في الوقت المحدد"),
        system("payment-lost", "The payment was lost", "فُقدت الدفعة"),
        system("payment-window-over", "It was not paid in time", "لم يُدفع المبلغ في الوقت المحدد"),
        system("promo-code-lost", "The promo code no longer counted", "لم يعد رمز الخصم ساريًا"),
        system("provider-banned", "The provider may not work here at present", "لا يمكن لمقدم الخدمة العمل هنا حاليًا"),
        system("report-decided", "An admin has decided about the report", "بتّ أحد المشرفين في البلاغ"),
    ]

    private static func system(_ id: String, _ english: String, _ arabic: String) -> ReportReason {
        ReportReason(id: id, text: ["en": english, "ar": arabic], parties: [])
    }
}
