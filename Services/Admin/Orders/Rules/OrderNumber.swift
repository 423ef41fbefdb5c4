import Foundation

/// A part of an order's number as people type it: the beginning, the last eight digits, which are what the console shows
/// of an order, or all of it.
struct OrderNumber: Sendable, Equatable {
    /// Fewer digits are taken for a name.
    static let fewestDigits = 6
    /// How many of the last digits are shown.
    static let shownDigits = 8
    private static let digits = 32

    /// The ids that begin with the digits.
    let first: UUID
    let last: UUID
    /// The last digits of an id, where as many were typed; empty where not.
    let ending: String

    /// - Parameter text: nil for one that may be somebody's name: anything but hexadecimal digits and hyphens, and
    ///   letters alone, such as "Abed".
    init?(_ text: String) {
        let typed = text.lowercased().filter { $0 != "-" }
        guard (Self.fewestDigits...Self.digits).contains(typed.utf8.count), typed.utf8.count == typed.count,
            typed.allSatisfy(\.isHexDigit), typed.contains(where: { $0.isNumber }),
            let first = Self.id(typed, filledWith: "0"), let last = Self.id(typed, filledWith: "f")
        else { return nil }
        self.first = first
        self.last = last
        ending = typed.count == Self.shownDigits ? typed : ""
    }

    private static func id(_ typed: String, filledWith digit: Character) -> UUID? {
        var text = typed + String(repeating: digit, count: digits - typed.count)
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return UUID(uuidString: text)
    }
}
