/// State of an order. Its names for users, by role and language, are labels of the market.
enum OrderState: String, Sendable, CaseIterable {
    case pending, requested, offered, accepted, preparing, enRoute, arrived, inProgress
    case completed, cancelled, refused, expired, disputed

    /// Whether the order has ended: no window is open and the provider is free. Only the payment can still change.
    var isFinal: Bool {
        switch self {
        case .completed, .cancelled, .refused, .expired: true
        case .pending, .requested, .offered, .accepted, .preparing, .enRoute, .arrived, .inProgress, .disputed: false
        }
    }
}
