public import Foundation

/// An order as both parties may see it. Every `dispatch.order.*` event carries one, whole.
///
/// Readers keep the newest `version` and ignore older ones, so the order of delivery does not matter. It holds neither
/// place nor contact: those stay with dispatch.
public struct OrderSnapshot: Codable, Hashable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case pending, requested, offered, accepted, preparing, enRoute, arrived, inProgress
        case completed, cancelled, refused, expired, disputed

        /// Nothing follows it.
        public var isFinal: Bool { [.completed, .cancelled, .refused, .expired].contains(self) }
    }

    public enum Actor: String, Codable, Sendable {
        case customer, provider
        /// A restaurant, or another seller of what the provider brings.
        case merchant
        case admin, system
    }

    public struct Party: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String

        public init(account: UUID, name: String) {
            self.account = account
            self.name = name
        }
    }

    public struct Service: Codable, Hashable, Sendable {
        /// Of what a merchant sells, and of bringing it.
        public static let meal = "meal"
        public static let delivery = "delivery"

        /// The service's id in the market, such as `wound-care`.
        public var service: String
        public var name: LocalizedText
        /// Minor units of the order's currency.
        public var price: Int

        public init(service: String, name: LocalizedText, price: Int) {
            self.service = service
            self.name = name
            self.price = price
        }
    }

    /// Somebody who is paid out of the price.
    public struct Share: Codable, Hashable, Sendable {
        public enum Payee: String, Codable, Sendable, CaseIterable {
            case provider
            /// A restaurant, or another seller of what the provider brings.
            case merchant
        }

        public var party: Payee
        public var account: UUID
        public var name: String
        /// Minor units of the order's currency, before the platform's commission.
        public var amount: Int

        public init(party: Payee, account: UUID, name: String, amount: Int) {
            self.party = party
            self.account = account
            self.name = name
            self.amount = amount
        }
    }

    /// A promo code with which the order was quoted: what its customer was told to pay less.
    public struct Promo: Codable, Hashable, Sendable {
        /// As the wallet keeps it.
        public var code: String
        /// Minor units of the order's currency, above zero.
        public var discount: Int

        public init(code: String, discount: Int) {
            self.code = code
            self.discount = discount
        }
    }

    /// How a customer who is not there agreed to have the order paid, as of a visit that comes again.
    public struct Consent: Codable, Hashable, Sendable {
        public enum Method: String, Codable, Sendable, CaseIterable { case card, wallet }

        public var method: Method
        /// The stored card; nil is one that its owner agreed to have charged for such orders.
        public var card: UUID?
        /// When the customer said so.
        public var agreedAt: Date
        /// Minor units of the order's currency: nothing above it is charged. Nil is no limit.
        public var upTo: Int?

        public init(method: Method, card: UUID? = nil, agreedAt: Date, upTo: Int? = nil) {
            self.method = method
            self.card = card
            self.agreedAt = agreedAt
            self.upTo = upTo
        }
    }

    public struct Payment: Codable, Hashable, Sendable {
        public enum State: String, Codable, Sendable {
            /// Nothing has been paid, or cash will be.
            case unpaid
            /// The price is held until the order ends.
            case held
            /// Paid out to the provider.
            case captured
            /// Given back.
            case released
        }

        /// `card`, `wallet`, `cash`; nil until the customer has chosen.
        public var method: String?
        public var state: State

        public init(method: String?, state: State) {
            self.method = method
            self.state = state
        }
    }

    public var order: UUID
    public var market: String
    /// The kind of workflow: `visit`.
    public var kind: String
    /// 1 when requested, and 1 more with each change.
    public var version: Int
    public var state: State
    public var customer: Party
    public var provider: Party?
    public var services: [Service]
    public var total: Money
    public var payment: Payment
    /// Who has confirmed completion so far.
    public var confirmedBy: [Actor]
    /// When the wait for somebody ends by itself; nil where nobody is waited for.
    public var deadline: Date?
    /// Who made the last change.
    public var by: Actor
    /// Why it was cancelled, refused or expired: a slug of dispatch, or the person's own words.
    public var reason: String?
    public var requestedAt: Date
    /// Of the last change. That the provider came near, or asked for another time, is none, although the version counts it.
    public var changedAt: Date
    /// What the customer is fined for a late cancellation; beside the price, which goes back whole.
    public var fine: Money?
    /// What the provider leaves with the platform from the acceptance until the order's end; in every snapshot of an
    /// order that asks for one.
    public var deposit: Money?
    /// The version with which the provider took it, where there is a deposit: the wallet's answer names it. Nil is
    /// nobody, or, of an older event, this version.
    public var acceptance: Int?
    /// Who is paid out of the total, where there are several. They add up to the total at most; what they leave is the
    /// platform's own. Absent: all of it is the provider's.
    public var shares: [Share]?
    /// A report whose decision by an admin (`admin.report.decided.v1`) says where the money goes. As long as it is here no
    /// state of the order moves any; removed when the report was withdrawn.
    public var report: UUID?
    /// Whether the customer is not there when it is accepted, as with a recurring visit: it is paid from the stored card
    /// that its owner agreed to have charged. Nil is no, or by the wallet: see ``consent``.
    public var paysByConsent: Bool?
    /// What an admin decided about the report; with it the order has ended.
    public var outcome: Outcome?
    /// For when it was ordered; nil is at once.
    public var scheduledAt: Date?
    /// Its customer pays so much less than the total, or the order ends unpaid. Nil is no promo code.
    public var promo: Promo?
    /// What its customer agreed to, where it is paid without asking. Nil of all others, and of older ones.
    public var consent: Consent?

    /// Whether it is paid without asking its customer, who is not there.
    public var isUnattended: Bool { paysByConsent == true || consent != nil }

    public init(
        order: UUID, market: String, kind: String, version: Int, state: State, customer: Party, provider: Party?,
        services: [Service], total: Money, payment: Payment, confirmedBy: [Actor], deadline: Date?, by: Actor,
        reason: String?, requestedAt: Date, changedAt: Date, fine: Money? = nil, deposit: Money? = nil,
        shares: [Share]? = nil, report: UUID? = nil
    ) {
        self.order = order
        self.market = market
        self.kind = kind
        self.version = version
        self.state = state
        self.customer = customer
        self.provider = provider
        self.services = services
        self.total = total
        self.payment = payment
        self.confirmedBy = confirmedBy
        self.deadline = deadline
        self.by = by
        self.reason = reason
        self.requestedAt = requestedAt
        self.changedAt = changedAt
        self.fine = fine
        self.deposit = deposit
        self.shares = shares
        self.report = report
    }
}
