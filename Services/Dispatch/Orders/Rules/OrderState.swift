/// Where an order stands. What a market calls it, to whom and in which language, are labels of the market.
enum OrderState: String, Sendable, CaseIterable {
    case pending, requested, offered, accepted, preparing, enRoute, arrived, inProgress
    case completed, cancelled, refused, expired, disputed

    /// Nobody is waited for any more and the provider is free. Only the money may still move.
    var isFinal: Bool {
        switch self {
        case .completed, .cancelled, .refused, .expired: true
        case .pending, .requested, .offered, .accepted, .preparing, .enRoute, .arrived, .inProgress, .disputed: false
        }
    }
}
