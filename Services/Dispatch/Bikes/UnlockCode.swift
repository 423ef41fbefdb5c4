import Crypto
import Foundation

/// What opens a rack once: eight digits, and what is kept of them.
struct UnlockCode: Sendable, Equatable {
    static let digits = 8
    /// How long it can be used.
    static let seconds = 600.0

    /// As the rider types it.
    let text: String

    /// - Parameter random: 0..<100 000 000.
    init(random: Int) {
        let number = String(random)
        text = String(repeating: "0", count: max(0, Self.digits - number.count)) + number
    }

    /// Nil for what is no code.
    init?(_ text: String) {
        guard text.utf8.count == Self.digits, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.text = text
    }

    /// Keyed, so that who reads the table cannot try all numbers, and the rack's own, so that it opens no other.
    func hash(key: [UInt8], rack: UUID) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Data("unlock \(rack.uuidString) \(text)".utf8))
        return Array(code.finalize())
    }
}

/// What a rack proves itself by.
enum RackKey {
    static let bytes = 32

    static func hash(_ key: String) -> [UInt8] { Array(SHA256.hash(data: Data(key.utf8))) }
}
