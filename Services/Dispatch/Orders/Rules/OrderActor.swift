/// Who acts on an order.
enum OrderActor: String, Sendable, CaseIterable {
    case customer, provider
    /// Who sells what the provider brings: a restaurant.
    case merchant
    case admin
    /// Time that is over, and the wallet.
    case system

    static let parties: Set<OrderActor> = [.customer, .provider]
    /// Of an order that a merchant prepares.
    static let mealParties: Set<OrderActor> = [.customer, .provider, .merchant]
}
