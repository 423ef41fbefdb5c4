import Foundation

/// A promo code on a quote: its discount, or the reason why it does not count.
struct QuotePromo: Sendable, Hashable, Codable {
    enum Obstacle: String, Sendable, Codable, CaseIterable {
        case unknown
        case otherMarket = "other-market"
        case expired
        case notYet = "not-yet"
        case usedUp = "used-up"
        /// The account has reached the code's limit per account.
        case usedByYou = "used-by-you"
        /// The price is too low for it.
        case belowMinimum = "below-minimum"
        /// The market takes only cash at present; codes do not apply to cash.
        case cashOnly = "cash-only"
    }

    /// In the wallet's spelling; an unknown code is as it was typed.
    let code: String
    /// The percentage in basis points; nil for a fixed amount and for codes of other markets.
    var basisPoints: Int?
    /// The cap of the percentage, in minor units.
    var maximum: Int?
    /// In minor units.
    var amount: Int?
    var minimumPrice = 0
    var startsAt: Date?
    /// Nil if the code counts.
    var obstacle: Obstacle?
    /// In minor units; zero if the code does not count.
    var discount = 0

    /// Applies the same code to another price, such as a whole order's after its delivery was quoted. Only the obstacle
    /// of the price is judged again.
    func on(_ price: Int) -> QuotePromo {
        guard obstacle == nil || obstacle == .belowMinimum else { return self }
        var promo = self
        // A price of zero takes no code.
        let isEnough = price > 0 && price >= minimumPrice
        promo.obstacle = isEnough ? nil : .belowMinimum
        promo.discount = isEnough ? min(price, value(of: price)) : 0
        return promo
    }

    /// The same code in a market that takes only cash.
    var withCashAlone: QuotePromo {
        guard obstacle == nil || obstacle == .belowMinimum else { return self }
        var promo = self
        (promo.obstacle, promo.discount) = (.cashOnly, 0)
        return promo
    }

    /// The discount by the wallet's rule: rounded down to a whole minor unit.
    private func value(of price: Int) -> Int {
        guard let basisPoints else { return amount ?? 0 }
        let (high, low) = price.multipliedFullWidth(by: basisPoints)
        // The quotient is at most the price, so it fits.
        let whole = 10_000.dividingFullWidth((high, low)).quotient
        return min(whole, maximum ?? whole)
    }
}

/// A promo code from a wallet event.
struct KnownPromoCode: Sendable, Equatable {
    let id: UUID
    let market: String
    let code: String
    let basisPoints: Int?
    let maximum: Int?
    let amount: Int?
    let startsAt: Date
    let endsAt: Date?
    let endedAt: Date?
    let minimumPrice: Int
    let limitPerAccount: Int?
    let isUsedUp: Bool

    /// Computes the code's effect on a price.
    ///
    /// - Parameters:
    ///   - price: in minor units, zero or more.
    ///   - ownUses: the number of the account's uses.
    func quoted(on price: Int, in market: String, ownUses: Int, at now: Date) -> QuotePromo {
        guard self.market == market else { return QuotePromo(code: code, obstacle: .otherMarket) }
        var promo = QuotePromo(
            code: code, basisPoints: basisPoints, maximum: maximum, amount: amount, minimumPrice: minimumPrice,
            startsAt: startsAt)
        promo.obstacle = obstacle(ownUses: ownUses, at: now)
        return promo.on(price)
    }

    /// The obstacle apart from the price.
    private func obstacle(ownUses: Int, at now: Date) -> QuotePromo.Obstacle? {
        if endedAt != nil { return .expired }
        if let endsAt, endsAt <= now { return .expired }
        if startsAt > now { return .notYet }
        if isUsedUp { return .usedUp }
        if let limitPerAccount, ownUses >= limitPerAccount { return .usedByYou }
        return nil
    }

    /// Normalizes typed text to the wallet's spelling; nil if it cannot be a code.
    static func normalized(_ text: String) -> String? {
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
