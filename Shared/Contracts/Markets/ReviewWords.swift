extension Market {
    /// The words for a report that waits for an admin's decision.
    public static let underReview: LocalizedText = [
        "en": "An admin looks at the report and decides about the payment.",
        "ar": "ينظر أحد المشرفين في البلاغ ويبتّ في المبلغ.",
    ]

    /// The words for what an admin decided about the payment of a reported order.
    public static func words(for decision: ReportDecided.Decision) -> LocalizedText {
        switch decision {
        case .payProvider:
            ["en": "An admin has decided: the price is paid out.", "ar": "قرر المشرف: يُدفع المبلغ لمقدم الخدمة."]
        case .returnToCustomer:
            ["en": "An admin has decided: the price goes back.", "ar": "قرر المشرف: يُعاد المبلغ إلى العميل."]
        case .split:
            [
                "en": "An admin has decided: a part of the price goes back.",
                "ar": "قرر المشرف: يُعاد جزء من المبلغ إلى العميل.",
            ]
        }
    }
}
