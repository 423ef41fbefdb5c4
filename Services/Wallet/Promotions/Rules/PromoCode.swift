import Foundation

/// A code that reduces an order's price for its customer. The platform pays the difference.
struct PromoCode: Hashable, Sendable, Codable {
    enum Benefit: Hashable, Sendable, Codable {
        /// Hundredths of a percent, 1...10000, rounded down to a whole minor unit; at most `maximum` minor units.
        case percent(basisPoints: Int, maximum: Int?)
        /// Minor units, above zero.
        case amount(Int)
    }

    /// The code cannot be used for this order. The reason is not given, since it would tell strangers which codes
    /// exist.
    struct NotUsable: Error, Hashable {}

    /// Why no code at all can be used for an order.
    enum Unfit: Error, Hashable {
        /// The platform's part would have to go to the person who collects the cash.
        case cash
        /// The customer sets the price and could let the platform pay any amount.
        case customerPriced
    }

    let id: UUID
    let market: String
    let currency: String
    /// Normalized, in upper case.
    let code: String
    let benefit: Benefit
    let startsAt: Date
    /// Nil for no end.
    let endsAt: Date?
    /// The lowest price that the code applies to, in minor units.
    let minimumPrice: Int
    /// The maximum number of uses. Nil only for codes from before every code had one; those cannot be used.
    let limit: Int?
    /// The maximum number of uses per account. Nil as above.
    let limitPerAccount: Int?
    /// When an admin ended it.
    var endedAt: Date?

    /// The reduction of a price, at most the price.
    ///
    /// - Parameters:
    ///   - price: minor units, at least zero.
    ///   - uses: the earlier uses of all accounts, and of this account.
    func discount(
        on price: Int, in market: String, uses: (all: Int, account: Int), at now: Date
    ) throws(NotUsable) -> Int {
        guard market == self.market, endedAt == nil, startsAt <= now, endsAt.map({ now < $0 }) ?? true,
            price > 0, price >= minimumPrice, let limit, uses.all < limit, let limitPerAccount,
            uses.account < limitPerAccount, benefit.most != nil
        else { throw NotUsable() }
        return min(price, benefit.value(of: price))
    }

    /// Whether the code may take more than half of a price. The smallest price that it applies to decides, since the
    /// maximum is the largest part of that.
    var takesMostOfPrice: Bool {
        let half = max(minimumPrice, 1) / 2
        return switch benefit {
        case .percent(let basisPoints, let maximum): basisPoints > 5_000 && maximum.map { $0 > half } ?? true
        case .amount(let amount): amount > half
        }
    }

    /// The platform's maximum cost in minor units; nil when it is too large to count.
    var possibleCost: Int? {
        guard let most = benefit.most, let limit else { return nil }
        let (cost, overflow) = most.multipliedReportingOverflow(by: limit)
        return overflow ? nil : cost
    }

    /// - Parameter method: nil while it is not chosen.
    static func check(isCustomerPriced: Bool, by method: PaymentMethod?) throws(Unfit) {
        if isCustomerPriced { throw .customerPriced }
        if method == .cash { throw .cash }
    }

    /// Normalizes an entered code; nil for an impossible code.
    static func normalized(_ text: String) -> String? {
        // Digits of every script become ASCII digits. White space is removed, hyphens belong to the code.
        let typed = text.unicodeScalars.filter { !$0.properties.isWhitespace }.map { scalar in
            let isDigit = scalar.properties.generalCategory == .decimalNumber
            return isDigit ? scalar.properties.numericValue.map { String(Int($0)) } ?? "" : String(scalar)
        }
        let code = typed.joined().uppercased()
        guard (4...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || $0 == 45 })
        else { return nil }
        return code
    }
}

extension PromoCode.Benefit {
    /// The maximum reduction of one price in minor units. Nil only for codes from before every code had a maximum.
    var most: Int? {
        switch self {
        case .amount(let amount): amount
        case .percent(_, let maximum): maximum
        }
    }

    func value(of price: Int) -> Int {
        switch self {
        case .amount(let amount): return amount
        case .percent(let basisPoints, let maximum):
            let (high, low) = price.multipliedFullWidth(by: basisPoints)
            // The quotient is at most the price, so it fits.
            let whole = 10_000.dividingFullWidth((high, low)).quotient
            return min(whole, maximum ?? whole)
        }
    }
}

/// The use of a promo code in a payment.
struct AppliedPromotion: Hashable, Sendable {
    /// The use's id. It counts while the payment continues.
    let use: UUID
    /// Minor units of the price that the platform pays.
    let discount: Int
    /// The code; nil for uses from before it was recorded.
    var code: UUID?
}

/// The promo code of an order's quote: the customer pays at most the price less this discount, or nothing is paid.
struct PromisedDiscount: Hashable, Sendable {
    /// Normalized.
    let code: String
    /// Minor units, above zero.
    let discount: Int
}
