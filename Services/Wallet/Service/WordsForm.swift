import ServiceKit

extension Form {
    /// A text that is stored and shown, so a card's number may not be in it by mistake, in whatever digits it is typed.
    ///
    /// It has less than 12 of them with no letter between, and no four groups of four, with one character between, that
    /// have the check digit of a card's number.
    func words(
        _ name: String, length: ClosedRange<Int>, lines: Bool = false, required: Bool = true
    ) -> String? {
        guard let words = string(name, length: length, lines: lines, required: required) else { return nil }
        let parts = words.split(whereSeparator: \.isLetter)
        let isPlain = parts.allSatisfy { $0.count(where: \.isNumber) < 12 }
        guard isPlain, !CardNumber.isInGroups(of: words) else {
            reject(name, "invalid-value")
            return nil
        }
        return words
    }
}
