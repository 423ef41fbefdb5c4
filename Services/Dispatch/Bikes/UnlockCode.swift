import Crypto
import Foundation

/// A code of eight digits that opens a rack once, and its stored hash.
struct UnlockCode: Sendable, Equatable {
    static let digits = 8
    /// The validity of a code.
    static let seconds = 600.0

    /// The digits as the rider types them.
    let text: String

    /// - Parameter random: in 0..<100 000 000.
    init(random: Int) {
        let number = String(random)
        text = String(repeating: "0", count: max(0, Self.digits - number.count)) + number
    }

    /// Nil unless the text is eight digits.
    init?(_ text: String) {
        guard text.utf8.count == Self.digits, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.text = text
    }

    /// Uses a key, so that a reader of the table cannot try all numbers, and the rack's id, so that the code opens only
    /// this rack.
    func hash(key: [UInt8], rack: UUID) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Data("unlock \(rack.uuidString) \(text)".utf8))
        return Array(code.finalize())
    }
}

/// The secret that authenticates a rack.
enum RackKey {
    static let bytes = 32

    static func hash(_ key: String) -> [UInt8] { Array(SHA256.hash(data: Data(key.utf8))) }
}
