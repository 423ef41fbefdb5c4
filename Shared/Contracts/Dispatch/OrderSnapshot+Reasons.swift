extension OrderSnapshot {
    /// The reasons of orders that the platform itself gives, and those that markets have for reports. Every other reason
    /// is somebody's own words, and nobody may give one of these as their own: what a reader does depends on it.
    public static let reasons: Set<String> = Set(Market.all.flatMap { $0.reportReasons.map(\.id) }).union([
        "accept-window-over", "assignment-window-over", "confirmation-window-over", "customer-banned",
        "customer-no-show", "declined", "deposit-refused", "deposit-window-over", "given-up", "merchant-banned",
        "no-show", "nobody-confirmed", "nobody-found", "not-brought-back", "not-delivered", "not-finished",
        "not-picked-up", "not-started", "offer-window-over", "payment-lost", "payment-window-over", "promo-code-lost",
        "provider-banned", "report-decided",
    ])
}
