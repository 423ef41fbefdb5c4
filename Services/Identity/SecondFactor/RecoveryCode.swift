import Crypto
import Foundation
import Messaging

/// A code that replaces the authenticator app's code when the app is lost. It has 80 random bits, is used once, and is
/// stored as a hash; with so many bits a fast hash is enough.
struct RecoveryCode: Sendable {
    static let bytes = 10

    /// `ABCD-EFGH-IJKL-MNOP`.
    let text: String

    static func generate() -> RecoveryCode {
        let letters = Array(Base32.encode((0..<bytes).map { _ in UInt8.random(in: .min ... .max) }))
        let groups = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
        return RecoveryCode(text: groups.joined(separator: "-"))
    }

    /// The same hash for any case and spacing of the typed code.
    static func hash(_ typed: String, of account: UUID) -> [UInt8] {
        let letters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
        return Array(SHA256.hash(data: Data("serai recovery code \(account.text) \(letters)".utf8)))
    }
}

extension Device {
    /// The stored hash of a device, beside the name in its session. It does not show the app's id, and the same device
    /// has another hash in another account.
    func hash(of account: UUID) -> [UInt8] {
        Array(SHA256.hash(data: Data("serai device \(account.text) \(name?.text ?? "") \(id ?? "")".utf8)))
    }
}
