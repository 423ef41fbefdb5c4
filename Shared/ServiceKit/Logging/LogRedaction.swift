import Locks

/// Decides by its name whether a metadata value may be written. This is the last protection: code should not pass such
/// values at all.
///
/// A name is split into words at everything that is no letter or digit and before capitals: `card.number`, `cardNumber`
/// and `CARD_NUMBER` are the words card and number. One forbidden word hides the value.
public struct LogRedaction: Sendable {
    public static let placeholder = "[redacted]"

    /// Names are written in the code, so there are few. Beyond this number each name is checked every time.
    static let knownLimit = 1_000

    private let forbiddenWords: Set<String>
    private let known = Verdicts()

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
        if let verdict = known.byName.withLock({ $0[name] }) { return verdict }
        let verdict = isForbidden(name)
        known.byName.withLock { if $0.count < Self.knownLimit { $0[name] = verdict } }
        return verdict
    }

    private func isForbidden(_ name: String) -> Bool {
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

    /// Each line checks a dozen names, and splitting a name would be most of a line's cost.
    private final class Verdicts: Sendable {
        let byName = Mutex<[String: Bool]>([:])
    }
}
