import Foundation

/// What a password must be (I3): at least ten characters, with a capital letter and two digits.
enum PasswordRule {
    static let minimumCharacters = 10
    static let minimumDigits = 2
    /// Longer ones cost time to hash and are no safer.
    static let maximumCharacters = 128

    static func accepts(_ password: String) -> Bool {
        let password = normalized(password)
        let digits = password.unicodeScalars.count { $0.properties.generalCategory == .decimalNumber }
        return password.count >= minimumCharacters && password.utf8.count <= 4 * maximumCharacters
            && password.contains(where: \.isUppercase) && digits >= minimumDigits
    }

    /// In so many bytes and characters it is hashed; beyond them it is too long, whatever else it has.
    static func isTooLong(_ password: String) -> Bool {
        let password = normalized(password)
        return password.count > maximumCharacters || password.utf8.count > 4 * maximumCharacters
    }

    /// The same password from every keyboard (RFC 8265, 4.2, OpaqueString): phones encode accents in two ways and type other
    /// spaces. Nothing else of it is touched.
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

    /// As passwords were hashed before their spaces were alike.
    static func former(_ password: String) -> String { password.precomposedStringWithCanonicalMapping }
}
