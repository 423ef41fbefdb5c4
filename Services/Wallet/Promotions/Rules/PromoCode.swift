import Foundation

/// A code that makes an order cheaper for its customer. The platform pays the difference.
struct PromoCode: Hashable, Sendable, Codable {
    enum Benefit: Hashable, Sendable, Codable {
        /// Hundredths of a percent, 1...10000, rounded down to a whole minor unit; at most `maximum` minor units.
        case percent(basisPoints: Int, maximum: Int?)
        /// Minor units, above zero.
        case amount(Int)
    }

    /// It cannot be used for this order. Why is not said: a stranger would learn which codes there are.
    struct NotUsable: Error, Hashable {}

    /// Orders that no code is good for, whichever it is.
    enum Unfit: Error, Hashable {
        /// The platform's part would have to go to whoever takes the cash.
        case cash
        /// The customer sets the price, and could let the platform pay any.
        case customerPriced
    }

    let id: UUID
    let market: String
    let currency: String
    /// As people type it, in capitals.
    let code: String
    let benefit: Benefit
    let startsAt: Date
    /// Nil is open.
    let endsAt: Date?
    /// The least price that it is good for, in minor units.
    let minimumPrice: Int
    /// How often it can be used in all. Nil only of codes that were made before all had one; those are over.
    let limit: Int?
    /// How often one account can use it. Nil as above.
    let limitPerAccount: Int?
    /// When an admin ended it.
    var endedAt: Date?

    /// What the customer pays less. Never more than the price.
    ///
    /// - Parameters:
    ///   - price: minor units, zero or more.
    ///   - uses: how often it is used by all, and by this account, this one not counted.
    func discount(
        on price: Int, in market: String, uses: (all: Int, account: Int), at now: Date
    ) throws(NotUsable) -> Int {
        guard market == self.market, endedAt == nil, startsAt <= now, endsAt.map({ now < $0 }) ?? true,
            price > 0, price >= minimumPrice, let limit, uses.all < limit, let limitPerAccount,
            uses.account < limitPerAccount, benefit.most != nil
        else { throw NotUsable() }
        return min(price, benefit.value(of: price))
    }

    /// Whether it may let an order cost its customer nothing.
    var takesWholePrice: Bool {
        switch benefit {
        case .percent(let basisPoints, _): basisPoints == 10_000
        case .amount(let amount): amount >= max(minimumPrice, 1)
        }
    }

    /// What the platform pays at most, in minor units; nil is more than can be counted.
    var possibleCost: Int? {
        guard let most = benefit.most, let limit else { return nil }
        let (cost, overflow) = most.multipliedReportingOverflow(by: limit)
        return overflow ? nil : cost
    }

    /// - Parameter method: nil where it is not chosen yet.
    static func check(isCustomerPriced: Bool, by method: PaymentMethod?) throws(Unfit) {
        if isCustomerPriced { throw .customerPriced }
        if method == .cash { throw .cash }
    }

    /// What was typed, as codes are kept; nil when no code looks so.
    static func normalized(_ text: String) -> String? {
        // Digits of every script are the same digits; spaces come from a keyboard, hyphens are part of a code.
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
    /// What it takes off one price at most, in minor units. Nil only of codes that were made before all had a maximum.
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

/// A promo code in one payment: what of its price the platform pays.
struct AppliedPromotion: Hashable, Sendable {
    /// The use that counts while the payment goes on.
    let use: UUID
    /// Minor units.
    let discount: Int
    /// Whose use it is; nil of those that began before it was kept.
    var code: UUID?
}

/// A promo code with which an order was quoted: its customer pays so much less, or nothing.
struct PromisedDiscount: Hashable, Sendable {
    /// Normalized.
    let code: String
    /// Minor units, above zero.
    let discount: Int
}
