import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The notices for the parties of an order about a change. A pure function, except for the items' ids.
struct OrderNotices {
    let event: any OrderEvent
    let order: OrderSnapshot
    let market: Market?
    let settings: MarketSettings?
    /// The time of the change.
    let at: Date

    /// - Parameters:
    ///   - market: as its admins have changed it last; nil for that of its file.
    ///   - settings: as its admins have changed them last; nil for those of its file.
    ///   - message: the event's id; nil for an event that was just made.
    init(
        _ event: any OrderEvent, in market: Market? = nil, settings: MarketSettings? = nil, message: UUID? = nil
    ) {
        self.event = event
        order = event.order
        self.market = market ?? Market.named(event.order.market)
        self.settings = settings ?? self.market?.defaults
        at = Self.time(of: event, message: message)
    }

    /// The messages "near" and "another time asked for" do not change `changedAt`, so their own time counts.
    private static func time(of event: any OrderEvent, message: UUID?) -> Date {
        guard event is OrderNearby || event is OrderTimeAsked, let milliseconds = message?.timeMilliseconds else {
            return event.order.changedAt
        }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// All parties get each change as a stream event; items go to the parties that did not make the change and need to
    /// know it.
    func all() throws -> [Notice] {
        let items = try (items() + recipientItems()).compactMap { $0 }
        return try states() + (isQuiet ? items.filter { $0.account != order.customer.account } : items)
    }

    /// A visit of a series was ordered long ago: its customer gets an item only when it is confirmed or fails.
    private var isQuiet: Bool {
        guard order.isUnattended, !isChargedByDesk else { return false }
        return event is OrderPending || event is OrderReopened && order.reason == "assignment-window-over"
    }

    /// An admin has ordered for a caller, who agreed on the phone to be charged at once.
    private var isChargedByDesk: Bool { event is OrderPending && order.by == .admin && order.isUnattended }

    // MARK: States

    private func states() throws -> [Notice] {
        var extra: [JSONObject.Member] = [.text("event", type(of: event).name.text)]
        if let nearby = event as? OrderNearby {
            extra += [.number("metresLeft", nearby.metresLeft), .number("secondsLeft", nearby.secondsLeft)]
        }
        // Most parties see the same snapshot, which is encoded once.
        var last: (order: OrderSnapshot, snapshot: JSONObject)?
        var states: [Notice] = []
        for (account, role) in parties {
            let shown = shown(to: role)
            if last?.order != shown { last = (shown, JSONObject(try JSON.wire.text(shown)).adding(extra)) }
            guard let snapshot = last?.snapshot else { continue }
            states.append(
                .state(
                    .order, of: order.order, version: order.version, order: order.order, to: account,
                    label: OrderLabel(
                        market: order.market, state: order.labelState, role: role, kind: order.kind,
                        provider: shown.provider?.providerTitle
                    ).text,
                    payload: snapshot.adding([.text("role", role.rawValue)]).text, at: at))
        }
        return states
    }

    /// Hides the offered provider from the customer until acceptance.
    private func shown(to role: OrderSnapshot.Actor) -> OrderSnapshot {
        var shown = order.part(of: role)
        if role == .customer, order.state == .offered, isSearchedFor {
            shown.provider = nil
            shown.shares?.removeAll { $0.party == .provider }
        }
        return shown
    }

    var isSearchedFor: Bool { market?.kind(order.kind)?.matching == .auto }

    private var parties: [(account: UUID, role: OrderSnapshot.Actor)] {
        var parties = [(account: order.customer.account, role: OrderSnapshot.Actor.customer)]
        if let provider = order.provider, provider.account != order.customer.account {
            parties.append((provider.account, .provider))
        }
        if isMerchantAsked, let merchant = order.merchant { parties.append((merchant.account, .merchant)) }
        // Without this event the former provider's phone would go on showing the order.
        if let former {
            parties.append((former.account, .provider))
        }
        return parties
    }

    /// The provider who has just lost the order or the offer.
    private var former: OrderSnapshot.Party? {
        switch event {
        case let event as OrderReopened: event.former
        case let event as OrderPassed: event.former
        case let event as OrderCancelled: event.former
        case let event as OrderRefused: event.former
        case let event as OrderDisputed: event.former
        default: nil
        }
    }

    // MARK: Items

    private func items() throws -> [Notice?] {
        if order.merchant != nil, let items = try mealItems() { return items }
        if isDropOff, let items = try dropOffItems() { return items }
        if isHire { return try hire() }
        return switch event {
        // No single provider is asked.
        case is OrderRequested where order.provider == nil: []
        case is OrderRequested:
            [try toProvider(.orderRequested, ["minutes": .number(minutesLeft(\.acceptWindowSeconds))])]
        // The order is paid already. With a deposit the customer is informed after the wallet has locked it.
        case is OrderAccepted where isPaidFirst: order.deposit == nil ? [try toCustomer(.orderTaken)] : []
        case is OrderDeposited: [try toCustomer(.orderTaken)]
        case let reopened as OrderReopened: try reopening(reopened)
        case let passed as OrderPassed: try passing(passed)
        case is OrderStarted: [try order.by == .customer ? toProvider(.orderStarted) : toCustomer(.orderStarted)]
        case is OrderOffered where isSearchedFor:
            [try toProvider(.orderForYou, ["seconds": .number(secondsLeft(\.offerWindowSeconds))])]
        case is OrderOffered:
            [try toProvider(.orderOffered, ["minutes": .number(minutesLeft(\.assignmentWindowSeconds))])]
        case is OrderTimeAsked: [try toCustomer(.orderTimeAsked)]
        case is OrderRescheduled: [try toCustomer(.orderRescheduled), try toProvider(.orderRescheduled)]
        case is OrderAccepted:
            [try toCustomer(.orderAccepted, ["minutes": .number(minutesLeft(\.paymentWindowSeconds))])]
        case is OrderRefused: [try refusal()]
        case is OrderEnRoute:
            [
                try toProvider(order.payment.method == "cash" ? .orderPaidInCash : .orderPaid),
                try toCustomer(.orderOnTheWay),
            ]
        case let nearby as OrderNearby:
            // `asOf` drops the item if it arrives after the provider.
            [
                try toCustomer(
                    .orderNearby, ["minutes": .number(max(1, (nearby.secondsLeft + 30) / 60))], asOf: order.version)
            ]
        // The carrier has reported the arrival, or was silent for the market's waiting time.
        case is OrderArrived where order.kind == Market.Workflow.parcel.rawValue: [try toCustomer(.orderPickUpAsked)]
        case is OrderArrived: [try toCustomer(isSearchedFor ? .orderWaitsForYou : .orderArrived)]
        case is OrderConfirmed: try confirmation()
        case is OrderDisputed: try report()
        case is OrderUndecided: [try toCustomer(.orderUndecided), try toProvider(.orderUndecided)]
        case is OrderCompleted where order.outcome != nil: try decision()
        case is OrderCompleted:
            [try toCustomer(.orderCompletedForCustomer), try toProvider(.orderCompletedForProvider)]
        case is OrderCancelled: try cancellation()
        case is OrderExpired: try expiry()
        case is OrderPending where isChargedByDesk:
            [try toCustomer(.deskCharged, ["total": TextArgument(order.total)])]
        case is OrderPending: [try toCustomer(.orderPending)]
        case is OrderPaymentChanged where order.state == .completed && order.payment.state == .released:
            [try toProvider(.orderNotPaid)]
        default: []
        }
    }

    /// A hired bike, an order without a provider.
    private var isHire: Bool { Market.Workflow(rawValue: order.kind)?.hasProvider == false }

    private func hire() throws -> [Notice?] {
        switch event {
        case is OrderPending: [try toCustomer(.orderPending)]
        case is OrderAccepted: [try toCustomer(.hireReady)]
        case is OrderCompleted where order.reason == "not-brought-back": [try toCustomer(.hireNotBroughtBack)]
        case is OrderCompleted: [try toCustomer(.hireEnded)]
        case is OrderExpired where order.reason == "payment-window-over": [try toCustomer(.orderUnpaidAlone)]
        case is OrderExpired: [try toCustomer(.hireNotPickedUp)]
        case is OrderCancelled where order.by != .customer: try cancellation()
        default: []
        }
    }

    var isPaidFirst: Bool { market?.kind(order.kind)?.paying == .first }

    /// The customer is not told that the provider's deposit failed, nor that a provider held the order for a moment;
    /// the wallet informs the provider.
    func reopening(_ event: OrderReopened) throws -> [Notice?] {
        if order.reason == "deposit-refused" { return [] }
        let former = try event.former.map { try item(.orderLost, [:], to: $0.account, as: .provider) }
        // The provider who gave the order up knows it.
        return order.by == .provider
            ? [try toCustomer(.orderReopened), try toMerchant(.orderReopened)]
            : [try toCustomer(.orderReopened), try toMerchant(.orderReopened), former]
    }

    /// The search goes on unchanged for the customer. A provider who declined knows it; one who did not answer gets an
    /// item.
    private func passing(_ event: OrderPassed) throws -> [Notice?] {
        guard order.by == .system else { return [] }
        return [try event.former.map { try item(.orderMissed, [:], to: $0.account, as: .provider) }]
    }

    /// The item for the party that has not confirmed yet.
    private func confirmation() throws -> [Notice?] {
        let confirmed = Set(order.confirmedBy)
        if confirmed.contains(.customer), !confirmed.contains(.provider) {
            return [try toProvider(.orderConfirm, ["name": TextArgument(order.customer)])]
        }
        if confirmed.contains(.provider), !confirmed.contains(.customer) {
            return [try toCustomer(.orderConfirm, ["name": TextArgument(order.provider)])]
        }
        return []
    }

    private func cancellation() throws -> [Notice?] {
        if order.outcome != nil { return try decision() }
        return switch order.by {
        case .customer where order.fine != nil:
            [try toProvider(.orderCancelledOnTheWay, ["fine": fine])]
        case .customer where order.reason == "no-show":
            [try toCustomer(.orderNoShowForCustomer), try toProvider(.orderNoShowForProvider)]
        case .provider where order.reason == "customer-no-show" && order.fine == nil:
            [try toCustomer(.orderMissedFreeForCustomer), try toProvider(.orderMissedFreeForProvider)]
        case .provider where order.reason == "customer-no-show":
            [
                try toCustomer(.orderMissedForCustomer, ["fine": fine]),
                try toProvider(.orderMissedForProvider, ["fine": fine]),
            ]
        case .customer: [try toProvider(isReported ? .orderReportedOver : byOther, parting(from: order.customer))]
        case .provider: [try toCustomer(isReported ? .orderReportedOver : byOther, parting(from: order.provider))]
        case .system where order.reason == "no-show":
            [try toCustomer(.orderNoShowForCustomer), try toProvider(.orderNoShowForProvider)]
        case .system where order.reason == "payment-lost":
            [try toCustomer(.orderPaymentLostForCustomer), try toProvider(.orderPaymentLostForProvider)]
        // The payment event has informed the customer already, and the order was visible to nobody else.
        case .system where order.reason == PaymentRefused.promoCodeLost: []
        case .system where order.reason == "customer-banned":
            [try toCustomer(.orderCustomerBannedForCustomer), try toProvider(.orderCustomerBannedForProvider)]
        case .system where order.reason == "provider-banned":
            [try toCustomer(.orderProviderBannedForCustomer), try toProvider(.orderProviderBannedForProvider)]
        case .system where order.reason == "nobody-confirmed":
            [try toCustomer(.orderUnconfirmedForCustomer), try toProvider(.orderUnconfirmedForProvider)]
        case .merchant, .admin, .system:
            isReasoned
                ? [
                    try toCustomer(.orderCancelledBecause, ["reason": reason]),
                    try toProvider(.orderCancelledBecause, ["reason": reason]),
                ]
                : [try toCustomer(.orderCancelled), try toProvider(.orderCancelled)]
        }
    }

    /// The reporting party gets a confirmation and the other party the reason. If the system reported, both get the
    /// reason.
    private func report() throws -> [Notice?] {
        if order.by == .system {
            return [
                try toCustomer(.orderUnderReview, ["reason": reason]),
                try toProvider(.orderUnderReview, ["reason": reason]),
            ]
        }
        if order.by == .provider {
            let name = TextArgument(order.provider)
            return [
                try toCustomer(.orderReported, ["name": name, "reason": reason]),
                try toProvider(.orderReportReceived),
            ]
        }
        return [
            try toCustomer(.orderReportReceived),
            try toProvider(.orderReported, ["name": TextArgument(order.customer), "reason": reason]),
        ]
    }

    /// The same text for both parties.
    private func decision() throws -> [Notice?] {
        guard let outcome = order.outcome else { return [] }
        // The text must match the money that moves: none for cash, and none if the payment provider gave it back
        // before.
        let isCash = order.payment.method == PaymentSnapshot.Method.cash.rawValue
        let isLost = order.payment.state == .released
        let topic: InboxTopic =
            switch outcome.decision {
            case .returnToCustomer: isCash ? .orderCashDecidedForCustomer : .orderDecidedForCustomer
            case .payProvider where isCash, .split where isCash: .orderCashDecidedForProvider
            case .payProvider where isLost, .split where isLost: .orderDecidedUnpaid
            case .payProvider: .orderDecidedForProvider
            case .split: .orderDecidedForBoth
            }
        let paid = Money(amount: order.total.amount - outcome.toCustomer.amount, currency: order.total.currency)
        let more: [String: TextArgument] = [
            "returned": TextArgument(outcome.toCustomer), "paid": TextArgument(paid), "reason": .text(outcome.reason),
        ]
        return [try toCustomer(topic, more), try toProvider(topic, more)]
    }

    var fine: TextArgument { TextArgument(order.fine ?? Money(amount: 0, currency: order.total.currency)) }

    private func expiry() throws -> [Notice?] {
        switch order.reason {
        case "accept-window-over":
            [try toCustomer(.orderUnansweredForCustomer), try toProvider(.orderUnansweredForProvider)]
        case "nobody-found": [try toCustomer(.orderNobodyFound)]
        case "payment-window-over" where order.provider == nil: [try toCustomer(.orderUnpaidAlone)]
        case "payment-window-over": [try toCustomer(.orderUnpaidForCustomer), try toProvider(.orderUnpaidForProvider)]
        default: [try toCustomer(.orderExpiredForCustomer), try toProvider(.orderExpiredForProvider)]
        }
    }

    func toCustomer(
        _ topic: InboxTopic, _ more: [String: TextArgument] = [:], asOf version: Int? = nil
    ) throws -> Notice? {
        try item(topic, more, to: order.customer.account, as: .customer, asOf: version)
    }

    /// Nil while the order has no provider.
    func toProvider(_ topic: InboxTopic, _ more: [String: TextArgument] = [:]) throws -> Notice? {
        guard let provider = order.provider else { return nil }
        return try item(topic, more, to: provider.account, as: .provider)
    }

    /// Uses the amounts of the reader's own part.
    func item(
        _ topic: InboxTopic, _ more: [String: TextArgument], to account: UUID, as role: OrderSnapshot.Actor,
        asOf version: Int? = nil
    ) throws -> Notice {
        let order = order.part(of: role)
        let common: [String: TextArgument] = [
            "customer": TextArgument(order.customer), "provider": TextArgument(order.provider),
            "merchant": order.merchant.map { .person(name: $0.name, account: $0.account) } ?? .text(""),
            "services": services, "total": TextArgument(order.total), "time": time,
        ]
        return try .item(
            topic, common.merging(more) { $1 }, to: account, order: order.order, at: at,
            id: .timeOrdered(), asOf: version)
    }
}
