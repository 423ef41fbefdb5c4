/// A payment card's number on its way to the payment provider. Its descriptions are redacted.
struct CardNumber: Sendable, CustomStringConvertible, CustomReflectable {
    /// The digits alone; only for the payment provider.
    let digits: String

    /// ISO/IEC 7812: 12 to 19 digits with a valid Luhn check digit. Spaces and hyphens are ignored.
    init?(_ text: String) {
        let digits = text.filter { $0 != " " && $0 != "-" }
        guard (12...19).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            Self.hasCheckDigit(digits), digits.contains(where: { $0 != "0" })
        else { return nil }
        self.digits = digits
    }

    /// Whether a text contains four groups of four digits, in any script, with one separator character between them and
    /// a valid check digit. Longer or shorter groups, as in phone numbers and ids, do not count.
    static func isInGroups(of text: String) -> Bool {
        let runs = text.split(omittingEmptySubsequences: false) { digit($0) == nil }
        return runs.indices.dropLast(3).contains { start in
            let groups = runs[start..<start + 4]
            guard groups.allSatisfy({ $0.count == 4 }) else { return false }
            let digits = groups.flatMap { group in group.compactMap { digit($0) } }
            return digits.contains { $0 != 0 } && hasCheckDigit(digits.map { String($0) }.joined())
        }
    }

    private static func digit(_ character: Character) -> Int? {
        guard let value = character.wholeNumberValue, (0...9).contains(value) else { return nil }
        return value
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
