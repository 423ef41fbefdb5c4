/// Actor of a transition.
enum OrderActor: String, Sendable, CaseIterable {
    case customer, provider
    /// The seller of the delivered goods: a restaurant.
    case merchant
    case admin
    /// Deadlines and the wallet.
    case system

    static let parties: Set<OrderActor> = [.customer, .provider]
    /// The parties of an order with a merchant.
    static let mealParties: Set<OrderActor> = [.customer, .provider, .merchant]
}
