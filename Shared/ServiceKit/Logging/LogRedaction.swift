/// Decides by its name whether a metadata value may be written. The last line of defence: code should not pass such
/// values at all.
///
/// A name is split into words at everything that is no letter or digit and before capitals: `card.number`,
/// `cardNumber` and `CARD_NUMBER` are the words card and number. One forbidden word hides the value.
public struct LogRedaction: Sendable {
    public static let placeholder = "[redacted]"

    private let forbiddenWords: Set<String>

    /// - Parameter additionalWords: lower case.
    public init(additionalWords: Set<String> = []) {
        forbiddenWords = Self.defaultWords.union(additionalWords)
    }

    static let defaultWords: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "pwd", "secret", "secrets", "token", "tokens", "jwt",
        "authorization", "bearer", "cookie", "credential", "credentials", "apikey", "card", "cards", "pan", "cvv",
        "cvc",
        "iban", "otp", "pin", "phone", "mobile", "msisdn", "email", "signature",
    ]

    public func hides(_ name: String) -> Bool {
        Self.words(of: name).contains(where: forbiddenWords.contains)
            || forbiddenWords.contains(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previousIsLowercase = false
        for character in name {
            let isWordCharacter = character.isLetter || character.isNumber
            if !isWordCharacter || (character.isUppercase && previousIsLowercase) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isWordCharacter { word.append(contentsOf: character.lowercased()) }
            previousIsLowercase = character.isLowercase || character.isNumber
        }
        return word.isEmpty ? words : words + [word]
    }
}
