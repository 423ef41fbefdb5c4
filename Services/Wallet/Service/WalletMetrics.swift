import Metrics

enum WalletMetrics {
    /// - Parameter kind: `known`; `unknown`, when there was none or nothing to be read; `unexpected`, when it was clear
    ///   and of no use. An unknown answer is asked for again.
    static func answered(_ request: Charge.Request, _ kind: String) {
        Counter(
            label: "payment_provider_answers_total", dimensions: [("request", request.rawValue), ("answer", kind)]
        ).increment()
    }

    /// Somebody has to look at it.
    static func unfollowed(_ kind: UnfollowedEvent.Kind) {
        Counter(label: "payment_provider_unfollowed_total", dimensions: [("event", kind.rawValue)]).increment()
    }
}
