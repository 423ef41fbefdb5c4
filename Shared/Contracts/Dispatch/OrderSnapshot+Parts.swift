extension OrderSnapshot {
    /// The share of the merchant who sells what is delivered; nil where only the provider is paid.
    public var merchant: Share? { shares?.first { $0.party == .merchant } }

    /// The snapshot as one of the paid parties sees it: the merchant its goods, the provider the delivery, and each
    /// only its own part of the money. Customers and admins see all of it.
    public func part(of role: Actor) -> OrderSnapshot {
        var part = self
        // The discount and its promo code are between customer and platform.
        if role == .provider || role == .merchant { (part.promo, part.consent) = (nil, nil) }
        guard let merchant else { return part }
        switch role {
        case .merchant:
            part.services = services.filter { $0.service != Service.delivery }
            part.shares = [merchant]
            part.total.amount = merchant.amount
            // Hides the offered provider from the merchant until the provider accepts.
            if state == .offered { part.provider = nil }
        case .provider:
            part.services = services.filter { $0.service == Service.delivery }
            part.shares = shares?.filter { $0.party == .provider }
            part.total.amount = total.amount - merchant.amount
        case .customer, .admin, .system: break
        }
        return part
    }
}
