extension MarketSettings {
    /// The settings that are amounts in the market's currency. They change together with the currency, so that no
    /// amount is read in another currency.
    public static let amounts: [Key] = [.finePerKilometre, .cancellationFee, .tariffs, .servicePrices] + laterAmounts

    /// Amounts that older stored texts of a currency do not have; they then stay unchanged.
    static let laterAmounts: [Key] = [
        .dailyTopUpLimit, .dailyCashOutLimit, .secondApprovalAmount, .parcelRates,
    ]

    /// The rates for a provider's wasted way, in minor units.
    public struct LateRates: Hashable, Sendable {
        /// See ``MarketSettings/finePerKilometre``.
        public var perKilometre: Int
        /// See ``MarketSettings/cancellationFee``.
        public var fee: Int

        public init(perKilometre: Int, fee: Int) {
            self.perKilometre = perKilometre
            self.fee = fee
        }
    }

    /// The rates for an order in a currency: the current rates, or the last ones in a former currency. Zero for a
    /// currency that the market never had.
    public func lateRates(in currency: String) -> LateRates {
        if currency == self.currency { return LateRates(perKilometre: finePerKilometre, fee: cancellationFee) }
        return formerRates[currency] ?? LateRates(perKilometre: 0, fee: 0)
    }

    /// These settings in another currency. The late rates in the old currency are kept for existing orders.
    ///
    /// - Parameter amounts: the value of each of ``amounts``.
    /// - Throws: a refusal of the first amount that is missing or not allowed.
    public func changed(to currency: Currency, amounts: [Key: String]) throws(Refusal) -> MarketSettings {
        var settings = self
        if currency.code != self.currency {
            settings.formerRates[self.currency] = lateRates(in: self.currency)
            settings.formerRates[currency.code] = nil
            settings.currency = currency.code
        }
        for key in Self.amounts {
            guard let amount = amounts[key] else { throw Refusal(key: key, allowed: "an amount of \(currency.code)") }
            try settings.set(key, to: amount)
        }
        return settings
    }

    /// The currency with all its amounts as one text, so that they change at one moment: `CAD; finePerKilometre=60;
    /// cancellationFee=0; tariffs=none; servicePrices=none; dailyTopUpLimit=500000; dailyCashOutLimit=1000000;
    /// secondApprovalAmount=200000; parcelRates=none; formerly SAR=50,0`
    var moneyText: String {
        var parts = [currency]
        for key in Self.amounts { parts.append("\(key.rawValue)=\(text(of: key))") }
        for (code, rates) in formerRates.sorted(by: { $0.key < $1.key }) {
            parts.append("formerly \(code)=\(rates.perKilometre),\(rates.fee)")
        }
        return parts.joined(separator: "; ")
    }

    static let moneyForm =
        "a currency of ISO 4217 with all amounts: CAD; finePerKilometre=60; cancellationFee=0; tariffs=none; "
        + "servicePrices=none; dailyTopUpLimit=500000; dailyCashOutLimit=1000000; secondApprovalAmount=200000; "
        + "parcelRates=none"

    func withMoney(_ text: String) throws(Refusal) -> MarketSettings {
        let refusal = Refusal(key: .currency, allowed: Self.moneyForm)
        let parts = text.split(separator: ";").map { String($0.drop(while: \.isWhitespace)) }
        guard let currency = parts.first.flatMap(Currency.named) else { throw refusal }
        var amounts: [Key: String] = [:]
        var former: [String: LateRates] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { throw refusal }
            if let key = Key(rawValue: pair[0]), Self.amounts.contains(key) {
                guard amounts.updateValue(pair[1], forKey: key) == nil else { throw refusal }
            } else if let rates = Self.lateRates(pair[1]), pair[0].hasPrefix("formerly ") {
                former[String(pair[0].dropFirst("formerly ".count))] = rates
            } else {
                throw refusal
            }
        }
        for key in Self.laterAmounts where amounts[key] == nil { amounts[key] = self.text(of: key) }
        guard amounts.count == Self.amounts.count else { throw refusal }
        var settings = try changed(to: currency, amounts: amounts)
        settings.formerRates = former
        return settings
    }

    private static func lateRates(_ text: String) -> LateRates? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int(plain: $0) }
        guard numbers.count == 2, let rate = numbers[0], let fee = numbers[1], rate >= 0, fee >= 0 else { return nil }
        return LateRates(perKilometre: rate, fee: fee)
    }

    static func prices(_ text: String, _ key: Key) throws(Refusal) -> [String: Int] {
        if text == "none" { return [:] }
        let refusal = Refusal(
            key: key, allowed: "SERVICE=PRICE in minor units; up to 200, separated by spaces; or none")
        var prices: [String: Int] = [:]
        for entry in text.split(separator: " ") {
            let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, (1...100).contains(parts[0].utf8.count), !parts[0].contains(";"),
                let price = Int(plain: parts[1]), (1...10_000_000).contains(price),
                prices.updateValue(price, forKey: String(parts[0])) == nil
            else { throw refusal }
        }
        guard (1...200).contains(prices.count) else { throw refusal }
        return prices
    }

    static func text(ofPrices prices: [String: Int]) -> String {
        guard !prices.isEmpty else { return "none" }
        return prices.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
}
