import Contracts

extension OrderSnapshot {
    /// The data of an order that its parties may see; readers get their part of it by `part(of:)`.
    init(_ order: Order) {
        self.init(
            order: order.id, market: order.market, kind: order.kind, version: order.version,
            state: State(order.state), customer: Party(order.customer), provider: order.provider.map { Party($0) },
            services: order.lines.map {
                Service(service: $0.service, name: LocalizedText($0.names), price: $0.price)
            },
            total: Money(amount: order.total, currency: order.currency), payment: Payment(order.payment),
            confirmedBy: order.confirmedBy.map { Actor($0) }, deadline: order.deadline, by: Actor(order.by),
            reason: order.reason, requestedAt: order.requestedAt, changedAt: order.changedAt,
            fine: order.fine.map { Money(amount: $0, currency: order.currency) },
            deposit: order.deposit.map { Money(amount: $0.amount, currency: order.currency) },
            shares: order.payees?.map { Share($0) }, report: order.report)
        scheduledAt = order.scheduledAt
        acceptance = order.deposit?.orderVersion
        promo = order.particulars?.promo.map { Promo(code: $0.code, discount: $0.discount) }
        roughPrice = order.particulars?.roughPrice
        recipient = order.homeCare?.relative.map {
            Recipient(account: $0.account, name: $0.name, sees: $0.sees == true)
        }
        // The customer is absent when a visit of a series is ordered.
        if let care = order.homeCare, care.isPaidByConsent(in: order.currency) {
            consent = care.consent.flatMap { Consent($0) }
            // An older wallet reads only this flag and would charge a card, so the flag is not set for a payment by
            // wallet.
            if consent?.method != .wallet { paysByConsent = true }
        }
        if let recurring = order.parcel?.recurring, recurring.currency == order.currency {
            consent = recurring.consent.flatMap { Consent($0) }
            if let consent, consent.method != .wallet { paysByConsent = true }
        }
        outcome = order.ending?.verdict.map { verdict in
            Outcome(
                decision: ReportDecided.Decision(verdict.decision),
                toCustomer: Money(amount: verdict.toCustomer, currency: order.currency), reason: verdict.reason)
        }
    }
}

extension OrderSnapshot.Consent {
    /// Nil for an unknown method.
    init?(_ consent: Order.HomeCare.Consent) {
        guard let method = Method(rawValue: consent.method) else { return nil }
        self.init(
            method: method, card: consent.card, agreedAt: consent.agreedAt, upTo: consent.upTo,
            isByDesk: consent.isByDesk)
    }
}

extension OrderSnapshot.State {
    init(_ state: OrderState) {
        self =
            switch state {
            case .pending: .pending
            case .requested: .requested
            case .offered: .offered
            case .accepted: .accepted
            case .preparing: .preparing
            case .enRoute: .enRoute
            case .arrived: .arrived
            case .inProgress: .inProgress
            case .completed: .completed
            case .cancelled: .cancelled
            case .refused: .refused
            case .expired: .expired
            case .disputed: .disputed
            }
    }
}

extension OrderSnapshot.Actor {
    init(_ actor: OrderActor) {
        self =
            switch actor {
            case .customer: .customer
            case .provider: .provider
            case .merchant: .merchant
            case .admin: .admin
            case .system: .system
            }
    }
}

extension OrderSnapshot.Party {
    init(_ party: Order.Party) {
        self.init(account: party.account, name: party.name, title: party.title, gender: party.gender)
    }
}

extension OrderSnapshot.Share {
    init(_ share: Order.Share) {
        self.init(
            party: share.party == .merchant ? .merchant : .provider, account: share.account, name: share.name,
            amount: share.amount)
    }
}

extension OrderSnapshot.Payment {
    init(_ payment: Order.Payment) {
        let state: State =
            switch payment.state {
            case .unpaid: .unpaid
            case .held: .held
            case .captured: .captured
            case .released: .released
            }
        self.init(method: payment.method, state: state)
    }
}

extension Order {
    /// The customer's fine in minor units; nil if there is none.
    fileprivate var fine: Int? { ending?.fine.flatMap { $0.amount > 0 ? $0.amount : nil } }
}

extension ReportDecided.Decision {
    init(_ decision: Order.Verdict.Decision) {
        self =
            switch decision {
            case .payProvider: .payProvider
            case .returnToCustomer: .returnToCustomer
            case .split: .split
            }
    }
}
