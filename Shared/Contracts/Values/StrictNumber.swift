/// Parses numbers as people write them. Swift's own initializers also accept `+5`, `0x1p3`, `1e3`, `nan` and `inf`,
/// which no form asks for and which other readers understand differently.
extension Int {
    /// Digits with an optional minus; nil for other texts and for numbers that are too large.
    public init?(plain text: some StringProtocol) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), let number = Int(text) else { return nil }
        self = number
    }
}

extension Double {
    /// Digits with an optional minus, and optionally a point with more digits; nil for other texts.
    public init?(plain text: some StringProtocol) {
        let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = unsigned.split(
            separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
