public import Foundation
public import Messaging

/// The current state of a promo code: created, ended, used up, or available again. Readers keep the newest version.
///
/// Only the wallet counts uses. Readers can tell the likely discount, but cannot promise a use.
public struct PromoCodeChanged: Message {
    public static let name: MessageName = "wallet.promo_code.changed.v1"
    public var promoCode: UUID
    /// 1 for a new code, plus 1 with each change.
    public var version: Int
    public var market: String
    /// The code as people type it, in capitals; unique in a market.
    public var code: String
    /// Hundredths of a percent, 1...10000; nil for a code with a fixed amount.
    public var basisPoints: Int?
    /// The highest discount of a percentage, in minor units.
    public var maximum: Int?
    /// In minor units of the market's currency.
    public var amount: Int?
    public var startsAt: Date
    /// Nil for no end.
    public var endsAt: Date?
    /// When an admin ended it.
    public var endedAt: Date?
    /// The lowest price to which it applies, in minor units.
    public var minimumPrice: Int
    /// The uses of one account; nil for no limit.
    public var limitPerAccount: Int?
    /// Whether all uses are taken, or the market's currency has changed since its amounts were set.
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
