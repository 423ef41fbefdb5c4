import Foundation

/// A promo code on a quote: what it takes off the price, or why it does not count.
struct QuotePromo: Sendable, Hashable, Codable {
    enum Obstacle: String, Sendable, Codable, CaseIterable {
        case unknown
        case otherMarket = "other-market"
        case expired
        case notYet = "not-yet"
        case usedUp = "used-up"
        /// By who asks, as often as one can.
        case usedByYou = "used-by-you"
        /// The price is too low for it.
        case belowMinimum = "below-minimum"
        /// The market takes nothing else, and no code counts with it.
        case cashOnly = "cash-only"
    }

    /// As the wallet keeps it; of one that there is not, as it was typed.
    let code: String
    /// Hundredths of a percent; nil where it is an amount, and of codes that are none of this market's.
    var basisPoints: Int?
    /// What the percentage takes off at most; minor units.
    var maximum: Int?
    /// Minor units.
    var amount: Int?
    var minimumPrice = 0
    var startsAt: Date?
    /// Nil when it counts.
    var obstacle: Obstacle?
    /// Minor units; zero when it does not count.
    var discount = 0

    /// The same code on another price, such as a whole order of which the way was quoted. What stands in its way stays, but
    /// for the price.
    func on(_ price: Int) -> QuotePromo {
        guard obstacle == nil || obstacle == .belowMinimum else { return self }
        var promo = self
        // What costs nothing takes no code.
        let isEnough = price > 0 && price >= minimumPrice
        promo.obstacle = isEnough ? nil : .belowMinimum
        promo.discount = isEnough ? min(price, value(of: price)) : 0
        return promo
    }

    /// The same code where there is no other way to pay.
    var withCashAlone: QuotePromo {
        guard obstacle == nil || obstacle == .belowMinimum else { return self }
        var promo = self
        (promo.obstacle, promo.discount) = (.cashOnly, 0)
        return promo
    }

    /// As the wallet computes it: rounded down to a whole minor unit.
    private func value(of price: Int) -> Int {
        guard let basisPoints else { return amount ?? 0 }
        let (high, low) = price.multipliedFullWidth(by: basisPoints)
        // The quotient is at most the price, so it fits.
        let whole = 10_000.dividingFullWidth((high, low)).quotient
        return min(whole, maximum ?? whole)
    }
}

/// A promo code as the wallet has told of it.
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

    /// What it gives for a price.
    ///
    /// - Parameters:
    ///   - price: minor units, zero or more.
    ///   - ownUses: how often who asks has used it.
    func quoted(on price: Int, in market: String, ownUses: Int, at now: Date) -> QuotePromo {
        guard self.market == market else { return QuotePromo(code: code, obstacle: .otherMarket) }
        var promo = QuotePromo(
            code: code, basisPoints: basisPoints, maximum: maximum, amount: amount, minimumPrice: minimumPrice,
            startsAt: startsAt)
        promo.obstacle = obstacle(ownUses: ownUses, at: now)
        return promo.on(price)
    }

    /// But for the price.
    private func obstacle(ownUses: Int, at now: Date) -> QuotePromo.Obstacle? {
        if endedAt != nil { return .expired }
        if let endsAt, endsAt <= now { return .expired }
        if startsAt > now { return .notYet }
        if isUsedUp { return .usedUp }
        if let limitPerAccount, ownUses >= limitPerAccount { return .usedByYou }
        return nil
    }

    /// What was typed, as the wallet keeps codes; nil when none looks so.
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
