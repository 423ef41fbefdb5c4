import Foundation

/// One order: what it is about and where it stands. A value; ``applying(_:by:at:windows:in:)`` is all that moves it.
struct Order: Sendable, Equatable {
    struct Party: Sendable, Hashable {
        var account: UUID
        var name: String
    }

    /// A service as it was when it was ordered.
    struct Line: Sendable, Equatable, Codable {
        var service: String
        /// By language.
        var names: [String: String]
        /// Minor units of the order's currency.
        var price: Int
    }

    struct Place: Sendable, Equatable {
        var latitude: Double
        var longitude: Double
        var description: String?
    }

    /// What its provider leaves with the platform until its end.
    struct Deposit: Sendable, Equatable {
        enum State: String, Sendable {
            /// Nobody has the order.
            case open
            /// Who has taken the order is asked for it.
            case awaited
            case locked
            /// It went back, or to the customer by an admin's decision.
            case returned, forfeited
        }

        /// Minor units; above zero.
        let amount: Int
        var state = State.open
        /// The order's, when it was taken; the wallet's answers name it.
        var orderVersion: Int?
    }

    /// Somebody who is paid out of the total.
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
        /// Of the newest news of the wallet that counted; 0 before any.
        var version: Int

        static let none = Payment(method: nil, state: .unpaid, version: 0)
    }

    let id: UUID
    let market: String
    let kind: String
    let customer: Party
    let lines: [Line]
    /// Minor units. What ends early costs less, and nothing more.
    var total: Int
    let currency: String
    /// Where it begins, or where the customer is.
    let place: Place
    /// Where to, of what is carried.
    var destination: Place?
    /// What only this kind of order has.
    var particulars: Particulars?
    let requestedAt: Date

    /// Who does it, is offered it, or is asked; nil while there is nobody.
    var provider: Party?
    /// For when it was ordered; nil is at once.
    var scheduledAt: Date?
    /// Another time that the provider asks for.
    var proposedAt: Date?
    var deposit: Deposit?
    /// Who is paid out of the total, where there are several.
    var shares: [Share]?

    /// 1 for a new order, and 1 more with each change.
    var version: Int
    var state: OrderState
    var payment: Payment
    /// Who has said that the work is done, in that order.
    var confirmedBy: [OrderActor]
    /// When the wait for somebody ends by itself.
    var deadline: Date?
    /// When the last search for somebody would have ended by itself.
    var searchEnd: Date?
    /// Who made the last change.
    var by: OrderActor
    /// A slug, or a person's own words.
    var reason: String?
    /// The full name of who comes along with the provider.
    var companion: String?
    /// Whether both were told that the provider is near.
    var isNear: Bool
    /// Of the last change but that the provider came near, or asked for another time.
    var changedAt: Date
    /// When the provider said to have arrived, or the work began.
    var arrivedAt: Date?
    /// The report that an admin is to decide about, or has decided about.
    var report: UUID?
    /// Nil while it goes on.
    var ending: Ending?

    /// Whether any provider of the market may take it.
    var isOnBoard: Bool {
        parcel != nil && Workflow.named(kind)?.rows.contains { $0.from == state && $0.trigger == .take } ?? false
    }

    /// Whether its provider is asked, and has not said yes.
    var isAsking: Bool { provider != nil && (state == .requested || state == .offered) }

    /// Who sells what is brought.
    var merchant: Share? { shares?.first { $0.party == .merchant } }

    /// Who is paid out of the total as it stands: what the merchants do not get is its provider's, as soon as there is one.
    var payees: [Share]? {
        guard let shares, let provider, !shares.contains(where: { $0.party == .provider }) else { return shares }
        let rest = shares.reduce(total) { $0 - $1.amount }
        return shares + [Share(party: .provider, account: provider.account, name: provider.name, amount: rest)]
    }

    /// Who an account is to this order; nil for strangers.
    func role(of account: UUID) -> OrderActor? {
        switch account {
        case customer.account: .customer
        case provider?.account: .provider
        // Who sells is asked once it is paid.
        case merchant?.account where payment.method != nil: .merchant
        default: nil
        }
    }
}

extension [Order.Line] {
    /// The sum of the prices; nil when it is larger than any amount of money.
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
