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

    /// The same password from every keyboard: phones encode accents in two ways (RFC 8265, 4.2).
    static func normalized(_ password: String) -> String { password.precomposedStringWithCanonicalMapping }
}
