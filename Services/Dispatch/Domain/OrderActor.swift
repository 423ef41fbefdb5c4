/// Who acts on an order.
enum OrderActor: String, Sendable, CaseIterable {
    case customer, provider, admin
    /// Time that is over, and the wallet.
    case system

    static let parties: Set<OrderActor> = [.customer, .provider]
}
