extension OrderSnapshot {
    /// Who sells what is brought; nil where nobody but the provider is paid.
    public var merchant: Share? { shares?.first { $0.party == .merchant } }

    /// As one of those who are paid for it is shown it: what is sold to the merchant, the way to the provider, and of the
    /// money each the own part. Customers and admins are shown all of it.
    public func part(of role: Actor) -> OrderSnapshot {
        var part = self
        // What the customer pays less, and by what, is between customer and platform.
        if role == .provider || role == .merchant { (part.promo, part.consent) = (nil, nil) }
        guard let merchant else { return part }
        switch role {
        case .merchant:
            part.services = services.filter { $0.service != Service.delivery }
            part.shares = [merchant]
            part.total.amount = merchant.amount
            // Whom the platform asks is nobody's business before he or she says yes.
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
