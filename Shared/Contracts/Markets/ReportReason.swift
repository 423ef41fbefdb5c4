extension Market {
    /// A reason for reporting an order to the admins.
    public struct ReportReason: Sendable, Identifiable {
        public let id: String
        public let text: LocalizedText
        /// The parties that may give it.
        public let parties: Set<OrderSnapshot.Actor>

        public init(id: String, text: LocalizedText, parties: Set<OrderSnapshot.Actor> = [.customer, .provider]) {
            self.id = id
            self.text = text
            self.parties = parties
        }

        /// The person's own words, which are required with this reason.
        public static let other = ReportReason(id: "other", text: ["en": "Another reason", "ar": "سبب آخر"])
    }

    /// The text shown before an order is reported.
    public static let reportNote: LocalizedText = [
        "en":
            "When you confirm your report, the order is cancelled at once. An admin reads it and decides about the money.",
        "ar": "عند تأكيد البلاغ سيُلغى الطلب تلقائيًا، ثم يراجع المشرف البلاغ ويقرر مصير المبلغ.",
    ]

    /// The reasons that a party of an order may give.
    public func reportReasons(of party: OrderSnapshot.Actor) -> [ReportReason] {
        reportReasons.filter { $0.parties.contains(party) }
    }

    /// The text of an order's reason; nil for a reason without a text in this market, and for a person's own words.
    public func words(for reason: String) -> LocalizedText? {
        (reportReasons + Self.systemReasons).first { $0.id == reason }?.text
    }

    /// The platform's own reasons, for markets without their own texts for them.
    static let systemReasons = [
        ReportReason(
            id: "accept-window-over", text: ["en": "There was no answer in time", "ar": "لم يصل رد في الوقت المحدد"],
            parties: []),
        ReportReason(
            id: "payment-window-over",
            text: ["en": "It was not paid in time", "ar": "لم يُدفع المبلغ في الوقت المحدد"], parties: []),
        ReportReason(
            id: "nobody-found",
            text: ["en": "Nobody was found in time", "ar": "لم يُعثر على أحد في الوقت المحدد"], parties: []),
        ReportReason(
            id: "customer-banned",
            text: ["en": "The customer may not order here at present", "ar": "لا يمكن للعميل الطلب هنا حاليًا"],
            parties: []),
        ReportReason(
            id: "provider-banned",
            text: ["en": "The provider may not work here at present", "ar": "لا يمكن لمقدم الخدمة العمل هنا حاليًا"],
            parties: []),
    ]
}
