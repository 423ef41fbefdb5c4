/// Something stored at the payment provider that must be removed there.
struct Removal: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// A stored card. Detached from its customer, it can never be charged again.
        case card
        /// A customer with everything that belongs to it.
        case customer
    }

    /// The payment provider's id.
    let reference: String
    let kind: Kind
    /// The number of requests so far.
    var tries = 0

    /// Seconds until the next request: one, doubled with each try, at most an hour.
    var pauseSeconds: Double { min(Double(1 << min(max(tries - 1, 0), 12)), 3_600) }
}
