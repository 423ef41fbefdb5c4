/// The amounts that a payment provider with Stripe's API accepts (docs.stripe.com/currencies, "minimum and maximum
/// charge amounts", "three-decimal currencies", "special cases"). In minor units of ISO 4217.
///
/// For a currency without a minimum in Stripe's documents, every amount that Stripe can count is allowed. Stripe may
/// still require more when it converts the money; its own refusal says so then.
public struct ProviderBounds: Hashable, Sendable {
    public let minimum: Int
    public let maximum: Int
    /// Every amount is a multiple of this.
    public let step: Int

    /// The bounds of charges.
    public static func charges(in currency: Currency) -> ProviderBounds {
        // The last digit of amounts in thousandths has to be 0.
        let step = currency.minorDigits == 3 ? 10 : currency.unit
        return ProviderBounds(
            minimum: max(minimums[currency.code] ?? step, step), maximum: largest(in: currency, step), step: step)
    }

    /// The bounds of refunds to a card: a charge's minimum does not apply to a part of it.
    public static func refunds(in currency: Currency) -> ProviderBounds {
        let charges = charges(in: currency)
        return ProviderBounds(minimum: charges.step, maximum: charges.maximum, step: charges.step)
    }

    /// The bounds of payouts. HUF and TWD are paid out in whole units only.
    public static func payouts(in currency: Currency) -> ProviderBounds {
        let step = wholePayouts.contains(currency.code) ? 100 : charges(in: currency).step
        return ProviderBounds(minimum: step, maximum: largest(in: currency, step), step: step)
    }

    /// The part of these bounds within another range, in minor units. The range must hold a multiple of the step.
    public func within(_ range: ClosedRange<Int>) -> ProviderBounds {
        let least = max(minimum, range.lowerBound)
        let most = min(maximum, range.upperBound)
        return ProviderBounds(minimum: (least + step - 1) / step * step, maximum: most - most % step, step: step)
    }

    public func allows(_ amount: Int) -> Bool {
        (minimum...maximum).contains(amount) && amount.isMultiple(of: step)
    }

    private static func largest(in currency: Currency, _ step: Int) -> Int {
        let digits = currency.code == "IDR" ? 999_999_999_999 : 99_999_999
        let largest = digits * currency.unit / currency.parts
        return largest - largest % step
    }

    private static let wholePayouts: Set<String> = ["HUF", "TWD"]
    private static let minimums = [
        "AED": 200, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "CZK": 1_500, "DKK": 250, "EUR": 50,
        "GBP": 30, "HKD": 400, "HUF": 17_500, "INR": 50, "JPY": 50, "MXN": 1_000, "MYR": 200, "NOK": 300, "NZD": 50,
        "PLN": 200, "RON": 200, "SEK": 300, "SGD": 50, "THB": 1_000, "USD": 50,
    ]
}

extension Currency {
    /// Minor units in one unit of the payment provider.
    fileprivate var unit: Int { Self.power(minorDigits - providerDigits) }
    /// The payment provider's units in one minor unit.
    fileprivate var parts: Int { Self.power(providerDigits - minorDigits) }

    /// An amount in the payment provider's units; nil for an amount that it cannot express.
    ///
    /// - Parameter amount: in minor units of ISO 4217.
    public func providerAmount(of amount: Int) -> Int? {
        guard amount.isMultiple(of: unit) else { return nil }
        let (product, isTooLarge) = (amount / unit).multipliedReportingOverflow(by: parts)
        return isTooLarge ? nil : product
    }

    /// The minor units of ISO 4217 for the payment provider's amount; nil for a fraction of one.
    ///
    /// - Parameter amount: in the payment provider's units.
    public func amount(ofProvider amount: Int) -> Int? {
        guard amount.isMultiple(of: parts) else { return nil }
        let (product, isTooLarge) = (amount / parts).multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : product
    }

    /// A power of ten; 1 for zero digits.
    private static func power(_ digits: Int) -> Int { (0..<max(digits, 0)).reduce(1) { product, _ in product * 10 } }
}
