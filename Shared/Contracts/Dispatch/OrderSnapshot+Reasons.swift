extension OrderSnapshot {
    /// The reasons that the platform gives to orders, and those of markets' reports. Other reasons are a person's own
    /// words. A person cannot use one of these slugs as own words, because readers act on them.
    public static let reasons: Set<String> = Set(Market.all.flatMap { $0.reportReasons.map(\.id) }).union([
        "accept-window-over", "assignment-window-over", "confirmation-window-over", "customer-banned",
        "customer-no-show", "declined", "deposit-refused", "deposit-window-over", "given-up", "merchant-banned",
        "no-show", "nobody-confirmed", "nobody-found", "not-brought-back", "not-delivered", "not-finished",
        "not-picked-up", "not-started", "offer-window-over", "payment-lost", "payment-window-over", "promo-code-lost",
        "provider-banned", "report-decided",
    ])
}
