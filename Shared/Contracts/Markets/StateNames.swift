extension Market {
    /// The words for states of orders, for a market or a kind without its own words for one: an order of an earlier
    /// version of the market may be in it.
    static let stateNames: [OrderSnapshot.State: LocalizedText] = [
        .pending: ["en": "Waiting for the payment", "ar": "بانتظار الدفع"],
        .requested: ["en": "Requested", "ar": "مطلوب"],
        .offered: ["en": "Offered", "ar": "معروض"],
        .accepted: ["en": "Accepted", "ar": "مقبول"],
        .preparing: ["en": "Being prepared", "ar": "قيد التحضير"],
        .enRoute: ["en": "On the way", "ar": "في الطريق"],
        .arrived: ["en": "Arrived", "ar": "تم الوصول"],
        .inProgress: ["en": "Under way", "ar": "قيد التنفيذ"],
        .completed: ["en": "Completed", "ar": "مكتمل"],
        .cancelled: ["en": "Cancelled", "ar": "ملغى"],
        .refused: ["en": "Declined", "ar": "مرفوض"],
        .expired: ["en": "Expired", "ar": "انتهت المهلة"],
        .disputed: ["en": "Under review", "ar": "قيد المراجعة"],
    ]
}
