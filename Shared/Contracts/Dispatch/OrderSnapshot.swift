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

    public enum Actor: String, Codable, Sendable { case customer, provider, admin, system }

    public struct Party: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String

        public init(account: UUID, name: String) {
            self.account = account
            self.name = name
        }
    }

    public struct Service: Codable, Hashable, Sendable {
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
    public var changedAt: Date
    /// Whether the customer is not there when it is accepted, as with a recurring visit: it is paid from the stored card
    /// that its owner agreed to have charged. Nil is no.
    public var paysByConsent: Bool?

    public init(
        order: UUID, market: String, kind: String, version: Int, state: State, customer: Party, provider: Party?,
        services: [Service], total: Money, payment: Payment, confirmedBy: [Actor], deadline: Date?, by: Actor,
        reason: String?, requestedAt: Date, changedAt: Date
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
    }
}
