import Foundation

/// One order: its contents and its state. A value; only ``applying(_:by:at:windows:in:)`` changes its state.
struct Order: Sendable, Equatable {
    struct Party: Sendable, Hashable {
        var account: UUID
        var name: String
        /// The id of a provider's title, where the customer chose by it.
        var title: String?
        /// Set for a provider with a title.
        var gender: String?
    }

    /// A service with the name and price that it had when it was ordered.
    struct Line: Sendable, Equatable, Codable {
        var service: String
        /// Keyed by language.
        var names: [String: String]
        /// Minor units of the order's currency.
        var price: Int
    }

    struct Place: Sendable, Equatable {
        var latitude: Double
        var longitude: Double
        var description: String?
    }

    /// Money that the provider leaves with the platform until the order ends.
    struct Deposit: Sendable, Equatable {
        enum State: String, Sendable {
            /// The order has no provider.
            case open
            /// The wallet is asked to lock the deposit of the provider who took the order.
            case awaited
            case locked
            /// Given back to the provider, or paid to the customer by an admin's decision.
            case returned, forfeited
        }

        /// Minor units; above zero.
        let amount: Int
        var state = State.open
        /// Version of the order when it was taken; the wallet's answers refer to it.
        var orderVersion: Int?
    }

    /// One receiver's part of the total.
    struct Share: Sendable, Equatable, Codable {
        enum Payee: String, Sendable, Codable { case provider, merchant }

        var party: Payee
        var account: UUID
        var name: String
        /// Minor units.
        var amount: Int
    }

    struct Payment: Sendable, Equatable {
        enum State: String, Sendable { case unpaid, held, captured, released }

        var method: String?
        var state: State
        /// Version of the newest wallet event that was applied; 0 before the first.
        var version: Int

        static let none = Payment(method: nil, state: .unpaid, version: 0)
    }

    let id: UUID
    let market: String
    let kind: String
    let customer: Party
    let lines: [Line]
    /// Minor units. An early end, or a hire's end, can only lower it.
    var total: Int
    let currency: String
    /// Place where the order begins, or where the customer is.
    var place: Place
    /// Goal of a ride or a delivery.
    var destination: Place?
    /// Data that only this kind of order has.
    var particulars: Particulars?
    let requestedAt: Date

    /// The provider who does the order, is offered it or is asked for it; nil if there is none.
    var provider: Party?
    /// Time that the order is for; nil means at once.
    var scheduledAt: Date?
    /// Another time that the provider has asked for.
    var proposedAt: Date?
    var deposit: Deposit?
    /// Receivers of the total, where there are several. See ``payees``.
    var shares: [Share]?

    /// 1 for a new order, plus 1 with each change.
    var version: Int
    var state: OrderState
    var payment: Payment
    /// Parties who have said that the work is done, in the order in which they said it.
    var confirmedBy: [OrderActor]
    /// End of the current window.
    var deadline: Date?
    /// End of the last search, kept so that the search can resume with the same end.
    var searchEnd: Date?
    /// Actor of the last change.
    var by: OrderActor
    /// A slug of the platform, or a person's own words.
    var reason: String?
    /// Full name of the person who comes with the provider.
    var companion: String?
    /// Whether customer and provider were told that the provider is near.
    var isNear: Bool
    /// Time of the last change; a nearby notice or a request for another time does not count.
    var changedAt: Date
    /// Time at which the provider reported the arrival, or the work began.
    var arrivedAt: Date?
    /// The report that awaits, or had, an admin's decision.
    var report: UUID?
    /// Nil while the order is open.
    var ending: Ending?

    /// Whether the order is on the board, where any provider of the market may take it.
    var isOnBoard: Bool {
        parcel != nil && Workflow.named(kind)?.rows.contains { $0.from == state && $0.trigger == .take } ?? false
    }

    /// Whether the order waits for its provider's answer.
    var isAsking: Bool { provider != nil && (state == .requested || state == .offered) }

    /// The merchant's share, of an order with a merchant.
    var merchant: Share? { shares?.first { $0.party == .merchant } }

    /// Receivers of the total as it stands. The provider, as soon as there is one, gets the rest after the merchants'
    /// shares. The use of a delivered bike is nobody's share, and so the platform's.
    var payees: [Share]? {
        if let pay = carrierPay {
            return provider.map { [Share(party: .provider, account: $0.account, name: $0.name, amount: pay)] }
        }
        if shares == nil, let use = bike?.use, let provider {
            return [
                Share(
                    party: .provider, account: provider.account, name: provider.name, amount: max(0, total - use))
            ]
        }
        guard let shares, let provider, !shares.contains(where: { $0.party == .provider }) else { return shares }
        let rest = shares.reduce(total) { $0 - $1.amount }
        return shares + [Share(party: .provider, account: provider.account, name: provider.name, amount: rest)]
    }

    /// Role of an account in this order; nil for strangers.
    func role(of account: UUID) -> OrderActor? {
        switch account {
        case customer.account: .customer
        case provider?.account: .provider
        // A merchant becomes a party only when the order is paid.
        case merchant?.account where payment.method != nil: .merchant
        default: nil
        }
    }
}

extension [Order.Line] {
    /// Sum of the prices; nil if it overflows.
    var total: Int? {
        var sum = 0
        for line in self {
            let (next, isTooLarge) = sum.addingReportingOverflow(line.price)
            if isTooLarge { return nil }
            sum = next
        }
        return sum
    }
}
