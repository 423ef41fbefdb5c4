import Contracts

/// Amounts in words: `120.50 SAR`, in Arabic `120.50 ر.س`.
enum MoneyText {
    private static let arabicNames = [
        "SAR": "ر.س", "AED": "د.إ", "KWD": "د.ك", "BHD": "د.ب", "OMR": "ر.ع", "QAR": "ر.ق", "JOD": "د.أ", "EGP": "ج.م",
    ]

    /// - Parameter amount: in minor units.
    static func text(_ amount: Int, _ currency: String, in language: String) -> String {
        let name = language == "ar" ? arabicNames[currency] ?? currency : currency
        return "\(Money(amount: amount, currency: currency).decimal) \(name)"
    }
}
