/// Which amounts a payment provider takes that speaks Stripe's API (docs.stripe.com/currencies, "minimum and maximum charge
/// amounts", "three-decimal currencies", "special cases"). In minor units of ISO 4217.
///
/// Of a currency that Stripe names no minimum for, anything is let through that it can count. It may ask for more all the
/// same, where it changes the money into another one: then its own refusal says so.
public struct ProviderBounds: Hashable, Sendable {
    public let minimum: Int
    public let maximum: Int
    /// Every amount is a multiple of it.
    public let step: Int

    /// Of money that is charged.
    public static func charges(in currency: Currency) -> ProviderBounds {
        // The last digit of thousandths has to be 0.
        let step = currency.minorDigits == 3 ? 10 : currency.unit
        return ProviderBounds(
            minimum: max(minimums[currency.code] ?? step, step), maximum: largest(in: currency, step), step: step)
    }

    /// Of money that is given back to a card: a charge's minimum does not hold for a part of it.
    public static func refunds(in currency: Currency) -> ProviderBounds {
        let charges = charges(in: currency)
        return ProviderBounds(minimum: charges.step, maximum: charges.maximum, step: charges.step)
    }

    /// Of money that is paid out. HUF and TWD go out in whole ones only.
    public static func payouts(in currency: Currency) -> ProviderBounds {
        let step = wholePayouts.contains(currency.code) ? 100 : charges(in: currency).step
        return ProviderBounds(minimum: step, maximum: largest(in: currency, step), step: step)
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
    /// Minor units of what the payment provider counts as one.
    fileprivate var unit: Int { Self.power(minorDigits - providerDigits) }
    /// What the payment provider counts of one minor unit.
    fileprivate var parts: Int { Self.power(providerDigits - minorDigits) }

    /// As the payment provider counts an amount; nil for one that it cannot count.
    ///
    /// - Parameter amount: minor units of ISO 4217.
    public func providerAmount(of amount: Int) -> Int? {
        guard amount.isMultiple(of: unit) else { return nil }
        let (product, isTooLarge) = (amount / unit).multipliedReportingOverflow(by: parts)
        return isTooLarge ? nil : product
    }

    /// Minor units of ISO 4217 of what the payment provider says; nil where there are none: a part of the smallest one.
    ///
    /// - Parameter amount: as the payment provider counts.
    public func amount(ofProvider amount: Int) -> Int? {
        guard amount.isMultiple(of: parts) else { return nil }
        let (product, isTooLarge) = (amount / parts).multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : product
    }

    /// Of ten; 1 where there are no digits.
    private static func power(_ digits: Int) -> Int { (0..<max(digits, 0)).reduce(1) { product, _ in product * 10 } }
}
