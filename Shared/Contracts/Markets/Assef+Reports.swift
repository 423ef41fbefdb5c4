extension Market {
    static let assefReportReasons: [ReportReason] = [
        ReportReason(
            id: "provider-late", text: ["en": "Comes much too late", "ar": "تأخر كثيرًا عن الموعد"], parties: [.customer]
        ),
        ReportReason(
            id: "provider-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق من مقدم الخدمة"],
            parties: [.customer]),
        ReportReason(
            id: "wrong-person", text: ["en": "Somebody else came", "ar": "حضر شخص آخر غير مقدم الخدمة"],
            parties: [.customer]),
        ReportReason(
            id: "not-done",
            text: ["en": "The service was not done, or not well", "ar": "لم تُقدَّم الخدمة أو قُدِّمت بشكل سيئ"],
            parties: [.customer]),
        ReportReason(
            id: "asked-for-more", text: ["en": "Asked for more money", "ar": "طلب مبلغًا إضافيًا"],
            parties: [.customer]),
        ReportReason(
            id: "customer-behaviour", text: ["en": "Did not behave properly", "ar": "تصرف غير لائق من العميل"],
            parties: [.provider]),
        ReportReason(
            id: "wrong-place",
            text: ["en": "The place is wrong or cannot be reached", "ar": "الموقع غير صحيح أو يتعذر الوصول إليه"],
            parties: [.provider]),
        ReportReason(
            id: "not-as-ordered",
            text: ["en": "Other things are needed than were ordered", "ar": "المطلوب يختلف عما ورد في الطلب"],
            parties: [.provider]),
        ReportReason(id: "unsafe", text: ["en": "I do not feel safe", "ar": "لا أشعر بالأمان"]),
        .other,
    ]
}
