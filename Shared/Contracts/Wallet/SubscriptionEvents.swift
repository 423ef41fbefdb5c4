public import Foundation
public import Messaging

/// A provider's subscription was paid, for the first time or again. It holds until `endsAt`.
public struct SubscriptionStarted: Message {
    public static let name: MessageName = "wallet.subscription.started.v1"
    public var subscription: UUID
    public var account: UUID
    public var market: String
    public var plan: UUID
    /// The subscription's version; grows with each event about it.
    public var version: Int
    public var price: Money
    public var startsAt: Date
    public var endsAt: Date
    /// Whether it was an automatic renewal.
    public var isRenewal: Bool
    public var at: Date
    public var aggregate: String { subscription.text }

    public init(
        subscription: UUID, account: UUID, market: String, plan: UUID, version: Int, price: Money, startsAt: Date,
        endsAt: Date, isRenewal: Bool, at: Date
    ) {
        self.subscription = subscription
        self.account = account
        self.market = market
        self.plan = plan
        self.version = version
        self.price = price
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.isRenewal = isRenewal
        self.at = at
    }
}

/// A provider's subscription has ended and was not renewed.
public struct SubscriptionExpired: Message {
    public static let name: MessageName = "wallet.subscription.expired.v1"
    public var subscription: UUID
    public var account: UUID
    public var market: String
    /// The subscription's version; grows with each event about it.
    public var version: Int
    public var endedAt: Date
    public var at: Date
    public var aggregate: String { subscription.text }

    public init(
        subscription: UUID, account: UUID, market: String, version: Int, endedAt: Date, at: Date
    ) {
        self.subscription = subscription
        self.account = account
        self.market = market
        self.version = version
        self.endedAt = endedAt
        self.at = at
    }
}

/// A provider's automatic renewal failed. Published once for each paid period, at the first failure. The renewal is
/// tried again until the period ends, unless the plan has changed.
public struct SubscriptionRenewalFailed: Message {
    public static let name: MessageName = "wallet.subscription.renewal_failed.v1"
    public var subscription: UUID
    public var account: UUID
    public var market: String
    /// The paid period that ends.
    public var period: UUID
    /// `insufficient-funds`, `no-such-card` (or an expired one), `account-blocked`, `plan-changed` (ended, or at a
    /// higher price), or the payment provider's reason for refusing the card.
    public var reason: String
    /// The end of the period.
    public var endsAt: Date
    public var at: Date
    public var aggregate: String { subscription.text }

    public init(
        subscription: UUID, account: UUID, market: String, period: UUID, reason: String, endsAt: Date, at: Date
    ) {
        self.subscription = subscription
        self.account = account
        self.market = market
        self.period = period
        self.reason = reason
        self.endsAt = endsAt
        self.at = at
    }
}
