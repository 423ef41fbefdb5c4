import Foundation

/// The rule for passwords (I3): at least ten characters, with a capital letter and two digits.
enum PasswordRule {
    static let minimumCharacters = 10
    static let minimumDigits = 2
    /// Longer passwords take longer to hash and are no safer.
    static let maximumCharacters = 128

    static func accepts(_ password: String) -> Bool {
        let password = normalized(password)
        let digits = password.unicodeScalars.count { $0.properties.generalCategory == .decimalNumber }
        return password.count >= minimumCharacters && password.utf8.count <= 4 * maximumCharacters
            && password.contains(where: \.isUppercase) && digits >= minimumDigits
    }

    /// Whether the password exceeds the length in characters or bytes that is hashed.
    static func isTooLong(_ password: String) -> Bool {
        let password = normalized(password)
        return password.count > maximumCharacters || password.utf8.count > 4 * maximumCharacters
    }

    /// Normalizes what keyboards do differently (RFC 8265, 4.2, OpaqueString): the encoding of accents and the kind of
    /// spaces. All other characters stay.
    static func normalized(_ password: String) -> String {
        let isUsual = !password.unicodeScalars.contains {
            !$0.isASCII && $0.properties.generalCategory == .spaceSeparator
        }
        if isUsual { return former(password) }
        var text = String.UnicodeScalarView()
        for scalar in password.unicodeScalars {
            text.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return former(String(text))
    }

    /// The form that was hashed before spaces were normalized.
    static func former(_ password: String) -> String { password.precomposedStringWithCanonicalMapping }
}
