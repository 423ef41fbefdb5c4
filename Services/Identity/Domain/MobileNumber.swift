import Foundation

/// A mobile number in E.164 form: `+966501234567`.
struct MobileNumber: Hashable, Sendable {
    let text: String

    /// Takes what people type and phones paste: spaces, hyphens, brackets, `00` for `+`, digits of other scripts.
    init?(_ raw: String) {
        var digits = ""
        var hasPlus = false
        for scalar in raw.unicodeScalars {
            if Self.isSeparator(scalar) { continue }
            if scalar == "+", digits.isEmpty, !hasPlus {
                hasPlus = true
            } else if scalar.properties.generalCategory == .decimalNumber,
                let value = scalar.properties.numericValue
            {
                digits.append(String(Int(value)))
            } else {
                return nil
            }
            if digits.utf8.count > 20 { return nil }
        }
        if !hasPlus {
            guard digits.hasPrefix("00") else { return nil }
            digits.removeFirst(2)
        }
        guard (7...15).contains(digits.utf8.count), !digits.hasPrefix("0") else { return nil }
        text = "+" + digits
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "(", ")", ".", "/": true
        default:
            // Numbers copied from contacts are wrapped in marks of direction.
            scalar.properties.generalCategory == .spaceSeparator || scalar.properties.generalCategory == .format
                || scalar.properties.generalCategory == .dashPunctuation
        }
    }
}
