extension OrderSnapshot {
    /// The share of the merchant who sells what is delivered; nil where only the provider is paid.
    public var merchant: Share? { shares?.first { $0.party == .merchant } }

    /// The snapshot as one of the paid parties sees it: the merchant its goods, the provider the delivery, and each
    /// only its own part of the money. Customers and admins see all of it.
    public func part(of role: Actor) -> OrderSnapshot {
        var part = self
        part.roughPrice = nil
        // The discount and its promo code are between customer and platform.
        if role == .provider || role == .merchant { (part.promo, part.consent) = (nil, nil) }
        guard let merchant else {
            if role == .provider {
                leaveFee(out: &part)
                showDeliveryAlone(in: &part)
                showRoughPrice(in: &part)
            }
            return part
        }
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
            showRoughPrice(in: &part)
        case .customer, .admin, .system: break
        }
        return part
    }

    /// Leaves the platform's fee for a minimum rating out: it is between the owner and the platform.
    private func leaveFee(out part: inout OrderSnapshot) {
        guard let fee = services.first(where: { $0.service == Service.minimumRating })?.price else { return }
        part.services = services.filter { $0.service != Service.minimumRating }
        part.total.amount = shares?.first { $0.party == .provider }?.amount ?? total.amount - fee
    }

    /// Whether a provider sees the price of the rough way: before the acceptance, and after an order of which nothing
    /// came. A meal that is prepared has no courier yet.
    public var isPriceRoughForProvider: Bool {
        guard roughPrice != nil else { return false }
        return switch state {
        case .pending, .requested, .offered, .preparing, .cancelled, .refused, .expired: true
        case .accepted, .enRoute, .arrived, .inProgress, .completed, .disputed: false
        }
    }

    /// In an order of the platform's own goods the provider sees the delivery, for which he or she is paid.
    private func showDeliveryAlone(in part: inout OrderSnapshot) {
        guard services.contains(where: { $0.service == Service.delivery }) else { return }
        let others = services.filter { $0.service != Service.delivery }.reduce(0) { $0 + $1.price }
        part.services = services.filter { $0.service == Service.delivery }
        part.shares = shares?.filter { $0.party == .provider }
        part.total.amount = max(0, total.amount - others)
    }

    /// Puts the rough price in the place of each amount that shows the exact one. The provider's part has one line.
    private func showRoughPrice(in part: inout OrderSnapshot) {
        guard isPriceRoughForProvider, let roughPrice else { return }
        part.total.amount = roughPrice
        for index in part.services.indices { part.services[index].price = index == 0 ? roughPrice : 0 }
        for index in (part.shares ?? []).indices where part.shares?[index].party == .provider {
            part.shares?[index].amount = roughPrice
        }
    }
}
