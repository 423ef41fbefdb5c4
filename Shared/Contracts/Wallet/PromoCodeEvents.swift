public import Foundation
public import Messaging

/// A promo code as it now stands: made, ended, used up, or to be had again. Readers keep the newest version.
///
/// The wallet alone counts uses. What is known from here says what a code will likely give, and is no promise of a use.
public struct PromoCodeChanged: Message {
    public static let name: MessageName = "wallet.promo_code.changed.v1"
    public var promoCode: UUID
    /// 1 for a new one, and 1 more with each change.
    public var version: Int
    public var market: String
    /// As people type it, in capitals; each once in a market.
    public var code: String
    /// Hundredths of a percent, 1...10000; nil where it is an amount.
    public var basisPoints: Int?
    /// What the percentage takes off at most, in minor units.
    public var maximum: Int?
    /// Minor units of the market's currency.
    public var amount: Int?
    public var startsAt: Date
    /// Nil is open.
    public var endsAt: Date?
    /// When an admin ended it.
    public var endedAt: Date?
    /// The least price that it is good for, in minor units.
    public var minimumPrice: Int
    /// How often one account can use it; nil is as often as one likes.
    public var limitPerAccount: Int?
    /// Whether it was used as often as it can be in all, or its market has another currency now than its amounts.
    public var isUsedUp: Bool
    public var at: Date
    public var aggregate: String { promoCode.text }

    public init(
        promoCode: UUID, version: Int, market: String, code: String, basisPoints: Int? = nil, maximum: Int? = nil,
        amount: Int? = nil, startsAt: Date, endsAt: Date? = nil, endedAt: Date? = nil, minimumPrice: Int = 0,
        limitPerAccount: Int? = nil, isUsedUp: Bool = false, at: Date
    ) {
        self.promoCode = promoCode
        self.version = version
        self.market = market
        self.code = code
        self.basisPoints = basisPoints
        self.maximum = maximum
        self.amount = amount
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.endedAt = endedAt
        self.minimumPrice = minimumPrice
        self.limitPerAccount = limitPerAccount
        self.isUsedUp = isUsedUp
        self.at = at
    }
}
