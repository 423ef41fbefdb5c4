/// The payment provider's rules for amounts, from Stripe's page about currencies. In the provider's own units; written
/// independently of the wallet's conversion.
enum AmountRules {
    private static let withoutDecimals: Set<String> = [
        "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf",
    ]
    private static let threeDecimals: Set<String> = ["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"]
    /// Counted in hundredths that do not exist: the last two digits must be 00.
    private static let wholeOnly: Set<String> = ["isk", "ugx"]
    private static let wholePayouts: Set<String> = ["huf", "twd", "isk", "ugx"]
    private static let minimums = [
        "aed": 200, "aud": 50, "bgn": 100, "brl": 50, "cad": 50, "chf": 50, "czk": 1_500, "dkk": 250, "eur": 50,
        "gbp": 30, "hkd": 400, "huf": 17_500, "inr": 50, "jpy": 50, "mxn": 1_000, "myr": 200, "nok": 300, "nzd": 50,
        "pln": 200, "ron": 200, "sek": 300, "sgd": 50, "thb": 1_000, "usd": 50,
    ]

    static func checkCharge(_ amount: Int, _ currency: String) throws(StripeError) {
        let minimum = minimums[currency] ?? 1
        guard amount >= minimum else {
            throw .invalid(
                "Amount must be at least \(major(minimum, currency)) \(currency)", code: "amount_too_small",
                param: "amount")
        }
        try checkForm(amount, currency)
    }

    /// Refunds have no minimum.
    static func checkRefund(_ amount: Int?, _ currency: String) throws(StripeError) {
        if let amount { try checkForm(amount, currency) }
    }

    static func checkPayout(_ amount: Int, _ currency: String) throws(StripeError) {
        try checkForm(amount, currency)
        guard !wholePayouts.contains(currency) || amount.isMultiple(of: 100) else { throw wrongDigits(amount) }
    }

    private static func checkForm(_ amount: Int, _ currency: String) throws(StripeError) {
        let maximum = currency == "idr" ? 999_999_999_999 : 99_999_999
        guard amount <= maximum else {
            throw .invalid(
                "Amount must be no more than \(major(maximum, currency)) \(currency)", code: "amount_too_large",
                param: "amount")
        }
        if threeDecimals.contains(currency), !amount.isMultiple(of: 10) { throw wrongDigits(amount) }
        if wholeOnly.contains(currency), !amount.isMultiple(of: 100) { throw wrongDigits(amount) }
    }

    private static func wrongDigits(_ amount: Int) -> StripeError {
        .invalid("Invalid integer: \(amount)", code: "parameter_invalid_integer", param: "amount")
    }

    private static func major(_ amount: Int, _ currency: String) -> String {
        let digits = withoutDecimals.contains(currency) ? 0 : threeDecimals.contains(currency) ? 3 : 2
        guard digits > 0 else { return String(amount) }
        let text = String(repeating: "0", count: max(digits + 1 - String(amount).count, 0)) + String(amount)
        return "\(text.dropLast(digits)).\(text.suffix(digits))"
    }
}
