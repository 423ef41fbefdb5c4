public import Foundation

/// An order as both parties may see it. Every `dispatch.order.*` event carries a whole one.
///
/// Readers keep the newest `version` and ignore older ones, so the order of delivery does not matter. Places and
/// contacts are not in it: they stay in dispatch.
public struct OrderSnapshot: Codable, Hashable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable {
        case pending, requested, offered, accepted, preparing, enRoute, arrived, inProgress
        case completed, cancelled, refused, expired, disputed

        /// Whether no further state follows.
        public var isFinal: Bool { [.completed, .cancelled, .refused, .expired].contains(self) }
    }

    public enum Actor: String, Codable, Sendable {
        case customer, provider
        /// A restaurant or another seller of goods that the provider delivers.
        case merchant
        case admin, system
    }

    public struct Party: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String
        /// The title's id in the market, if the customer chose the provider by title.
        public var title: String?
        /// `female` or `male` for a provider with a title, to choose the title's words.
        public var gender: String?

        public init(account: UUID, name: String, title: String? = nil, gender: String? = nil) {
            self.account = account
            self.name = name
            self.title = title
            self.gender = gender
        }

        /// For labels that name the title.
        public var providerTitle: Market.ProviderTitle? {
            title.map { Market.ProviderTitle(title: $0, gender: gender) }
        }
    }

    /// The relative for whom a visit is, if not the customer.
    public struct Recipient: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String
        /// Whether a link lets the relative see the customer's orders, and so be told of this one.
        public var sees: Bool

        public init(account: UUID, name: String, sees: Bool) {
            self.account = account
            self.name = name
            self.sees = sees
        }
    }

    public struct Service: Codable, Hashable, Sendable {
        /// The lines of an order with a merchant: the goods, and their delivery.
        public static let meal = "meal"
        public static let delivery = "delivery"
        /// The line of a parcel whose owner asks for a carrier with a minimum rating: the platform's fee.
        public static let minimumRating = "minimum-rating"

        /// The service's id in the market, such as `wound-care`.
        public var service: String
        public var name: LocalizedText
        /// In minor units of the order's currency.
        public var price: Int

        public init(service: String, name: LocalizedText, price: Int) {
            self.service = service
            self.name = name
            self.price = price
        }
    }

    /// A party that is paid out of the price.
    public struct Share: Codable, Hashable, Sendable {
        public enum Payee: String, Codable, Sendable, CaseIterable {
            case provider
            /// A restaurant or another seller of goods that the provider delivers.
            case merchant
        }

        public var party: Payee
        public var account: UUID
        public var name: String
        /// In minor units of the order's currency, before the platform's commission.
        public var amount: Int

        public init(party: Payee, account: UUID, name: String, amount: Int) {
            self.party = party
            self.account = account
            self.name = name
            self.amount = amount
        }
    }

    /// The promo code of the order's quote, and the discount that the customer was promised.
    public struct Promo: Codable, Hashable, Sendable {
        /// The code in the wallet's form.
        public var code: String
        /// In minor units of the order's currency, above zero.
        public var discount: Int

        public init(code: String, discount: Int) {
            self.code = code
            self.discount = discount
        }
    }

    /// The customer's consent to payment in absence, as for a visit of a series.
    public struct Consent: Codable, Hashable, Sendable {
        public enum Method: String, Codable, Sendable, CaseIterable { case card, wallet }

        public var method: Method
        /// The stored card; nil for the card that its owner allowed to be charged for such orders.
        public var card: UUID?
        /// When the customer consented.
        public var agreedAt: Date
        /// The limit in minor units of the order's currency: a higher price is not charged. Nil for no limit.
        public var upTo: Int?
        /// Whether an admin named the way for a caller: the card is charged only while its owner releases it for that.
        public var isByDesk: Bool?

        public init(method: Method, card: UUID? = nil, agreedAt: Date, upTo: Int? = nil, isByDesk: Bool? = nil) {
            self.method = method
            self.isByDesk = isByDesk
            self.card = card
            self.agreedAt = agreedAt
            self.upTo = upTo
        }
    }

    public struct Payment: Codable, Hashable, Sendable {
        public enum State: String, Codable, Sendable {
            /// Nothing is paid, or cash will be.
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
    /// The name of the workflow, such as `visit`.
    public var kind: String
    /// 1 when requested, plus 1 with each change.
    public var version: Int
    public var state: State
    public var customer: Party
    public var provider: Party?
    public var services: [Service]
    public var total: Money
    public var payment: Payment
    /// The parties that have confirmed completion so far.
    public var confirmedBy: [Actor]
    /// The end of the current window; nil when there is none.
    public var deadline: Date?
    /// The actor of the last change.
    public var by: Actor
    /// Why the order was cancelled, refused or expired: one of dispatch's slugs, or a person's own words.
    public var reason: String?
    public var requestedAt: Date
    /// The time of the last change. That the provider came near, or asked for another time, does not count here,
    /// although the version counts it.
    public var changedAt: Date
    /// The customer's fine for a late cancellation. It is beside the price, which goes back whole.
    public var fine: Money?
    /// The provider's deposit, held from the acceptance until the order's end. It is in every snapshot of an order that
    /// asks for one.
    public var deposit: Money?
    /// The version of the acceptance, for orders with a deposit: the wallet's answer names it. Nil when there is no
    /// acceptance, or, in an older event, for this version.
    public var acceptance: Int?
    /// The receivers of the total, when there are several. Their sum is at most the total; the rest is the platform's.
    /// Absent: all of it is the provider's.
    public var shares: [Share]?
    /// A report that waits for an admin's decision (`admin.report.decided.v1`) about the money. While it is set, no
    /// state of the order moves money. Removed when the report is withdrawn.
    public var report: UUID?
    /// Whether the customer is absent at the acceptance, as with a visit of a series, and the stored card is charged
    /// that its owner allowed for this. Nil for no, or for payment by the wallet: see ``consent``.
    public var paysByConsent: Bool?
    /// The relative who is visited; nil where that is the customer.
    public var recipient: Recipient?
    /// The admin's decision about the report; it has ended the order.
    public var outcome: Outcome?
    /// The time for which it was ordered; nil for at once.
    public var scheduledAt: Date?
    /// The promised discount: the customer pays this much less than the total, or the order ends unpaid. Nil without a
    /// promo code.
    public var promo: Promo?
    /// The customer's consent to payment in absence. Nil for all other orders, and for older ones.
    public var consent: Consent?
    /// The provider's part of the price for the rough way, in minor units; shown until the provider has accepted. The
    /// exact price would give the length of the way, and so the door. Nil where the price does not come from a way that
    /// is hidden, and in older orders.
    public var roughPrice: Int?

    /// Whether the order is paid without asking its absent customer.
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
