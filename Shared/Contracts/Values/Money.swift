/// An amount in minor units (halalas, cents) of one currency.
public struct Money: Codable, Hashable, Sendable {
    /// In minor units; negative for money that is owed.
    public var amount: Int
    /// ISO 4217, three capital letters.
    public var currency: String

    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Major units with the currency's number of digits: `-0.50`, for yen `50`.
    public var decimal: String {
        let digits = Currency.named(currency)?.minorDigits ?? 2
        let unit = (0..<digits).reduce(UInt(1)) { power, _ in power * 10 }
        let (whole, rest) = amount.magnitude.quotientAndRemainder(dividingBy: unit)
        let sign = amount < 0 ? "-" : ""
        guard digits > 0 else { return sign + String(whole) }
        let minor = String(rest)
        return sign + String(whole) + "." + String(repeating: "0", count: digits - minor.count) + minor
    }
}
