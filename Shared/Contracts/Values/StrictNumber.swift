/// Numbers as people write them. Swift's own initializers also take `+5`, `0x1p3`, `1e3`, `nan` and `inf`, which no form asks
/// for and which mean something else to the next reader.
extension Int {
    /// Digits, behind a minus at most; nil for all else, and for what is too large.
    public init?(plain text: some StringProtocol) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit), let number = Int(text) else { return nil }
        self = number
    }
}

extension Double {
    /// Digits, with a point and more digits at most, behind a minus at most; nil for all else.
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
