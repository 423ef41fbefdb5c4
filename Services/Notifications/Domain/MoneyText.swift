import Foundation

/// Amounts for people: `120.50 SAR`, in Arabic `120.50 ر.س`.
enum MoneyText {
    private static let arabicNames = [
        "SAR": "ر.س", "AED": "د.إ", "KWD": "د.ك", "BHD": "د.ب", "OMR": "ر.ع", "QAR": "ر.ق", "JOD": "د.أ", "EGP": "ج.م",
    ]
    /// ISO 4217, where it is not 2.
    private static let decimalPlaces = [
        "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0,
        "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
    ]

    /// - Parameter amount: minor units.
    static func text(_ amount: Int, _ currency: String, in language: String) -> String {
        let places = decimalPlaces[currency] ?? 2
        let unit = (0..<places).reduce(1) { power, _ in power * 10 }
        let (whole, rest) = amount.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
        var number = (amount < 0 ? "-" : "") + String(whole)
        if places > 0 {
            let digits = String(rest)
            number += "." + String(repeating: "0", count: places - digits.count) + digits
        }
        let name = language == "ar" ? arabicNames[currency] ?? currency : currency
        return "\(number) \(name)"
    }
}
