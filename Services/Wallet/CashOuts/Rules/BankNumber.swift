/// The number of a bank account on its way to the payment provider: an IBAN, or the parts by which banks in Australia and
/// in Canada are addressed, which have no IBAN. Its descriptions are redacted.
enum BankNumber: Sendable, CustomStringConvertible, CustomReflectable {
    /// How the number is written.
    enum Form: String, Sendable, CaseIterable {
        case iban, australian, canadian

        /// The form of the bank accounts of a country (ISO 3166).
        init(country: String) {
            switch country {
            case "AU": self = .australian
            case "CA": self = .canadian
            default: self = .iban
            }
        }

        /// The only currency in which such an account is paid (ISO 4217); nil where the payment provider decides.
        var currency: String? {
            switch self {
            case .iban: nil
            case .australian: "AUD"
            case .canadian: "CAD"
            }
        }

        /// The field that names the number.
        var field: String {
            switch self {
            case .iban: "iban"
            case .australian: "bsb"
            case .canadian: "transit"
            }
        }
    }

    case iban(IBAN)
    case australian(AustralianBankNumber)
    case canadian(CanadianBankNumber)

    var form: Form {
        switch self {
        case .iban: .iban
        case .australian: .australian
        case .canadian: .canadian
        }
    }

    /// ISO 3166.
    var country: String {
        switch self {
        case .iban(let iban): iban.country
        case .australian: "AU"
        case .canadian: "CA"
        }
    }

    var lastFour: String { String(accountNumber.suffix(4)) }

    /// The account's number; only for the payment provider.
    var accountNumber: String {
        switch self {
        case .iban(let iban): iban.characters
        case .australian(let number): number.account
        case .canadian(let number): number.account
        }
    }

    /// The number of the bank and its branch as Stripe writes it; nil for an IBAN, which has it inside.
    var routingNumber: String? {
        switch self {
        case .iban: nil
        case .australian(let number): number.bsb
        case .canadian(let number): "\(number.transit)-\(number.institution)"
        }
    }

    var description: String { "[redacted]" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A bank account in Australia: bank, state and branch (BSB), and the account's number.
struct AustralianBankNumber: Sendable {
    /// Six digits.
    let bsb: String
    /// Five to nine digits.
    let account: String

    /// Spaces and hyphens are ignored. The first two digits of a BSB name the bank; no bank is 00.
    static func bsb(_ text: String) -> String? {
        guard let digits = BankDigits.of(text, 6...6), !digits.hasPrefix("00") else { return nil }
        return digits
    }

    static func account(_ text: String) -> String? { BankDigits.of(text, 5...9) }
}

/// A bank account in Canada: the branch's transit number, the institution, and the account's number.
struct CanadianBankNumber: Sendable {
    /// Five digits.
    let transit: String
    /// Three digits.
    let institution: String
    /// Seven to twelve digits.
    let account: String

    /// Spaces and hyphens are ignored.
    static func transit(_ text: String) -> String? { BankDigits.of(text, 5...5) }

    /// Three digits, or four with the zero that a cheque writes in front.
    static func institution(_ text: String) -> String? {
        guard let digits = BankDigits.of(text, 3...4) else { return nil }
        if digits.count == 3 { return digits }
        return digits.hasPrefix("0") ? String(digits.dropFirst()) : nil
    }

    static func account(_ text: String) -> String? { BankDigits.of(text, 7...12) }
}

private enum BankDigits {
    /// The digits of a text without spaces and hyphens; nil for other characters, another length, or zeros alone.
    static func of(_ text: String, _ length: ClosedRange<Int>) -> String? {
        let digits = text.filter { $0 != " " && $0 != "-" }
        guard length.contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            digits.contains(where: { $0 != "0" })
        else { return nil }
        return digits
    }
}
