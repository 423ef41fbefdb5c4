/// The number of a payment card, on its way to the payment provider. It is shown nowhere.
struct CardNumber: Sendable, CustomStringConvertible, CustomReflectable {
    /// Digits alone. Only for the payment provider.
    let digits: String

    /// ISO/IEC 7812: 12 to 19 digits, the last of them a check digit by Luhn's rule. Spaces and hyphens are ignored.
    init?(_ text: String) {
        let digits = text.filter { $0 != " " && $0 != "-" }
        guard (12...19).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            Self.hasCheckDigit(digits), digits.contains(where: { $0 != "0" })
        else { return nil }
        self.digits = digits
    }

    private static func hasCheckDigit(_ digits: String) -> Bool {
        let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, element in
            let digit = Int(element.element) - 48
            let doubled = element.offset % 2 == 1 ? digit * 2 : digit
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum % 10 == 0
    }

    var description: String { "[redacted]" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
