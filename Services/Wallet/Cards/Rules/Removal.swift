/// Something that the payment provider keeps for us and shall not any more.
struct Removal: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// A stored card: taken from its customer, it can never be charged again.
        case card
        /// A customer, with all that belongs to it.
        case customer
    }

    /// At the payment provider.
    let reference: String
    let kind: Kind
    /// How often the payment provider was asked.
    var tries = 0

    /// Until it is asked again: one second, doubled with each try, at most an hour.
    var pauseSeconds: Double { min(Double(1 << min(max(tries - 1, 0), 12)), 3_600) }
}
