import Crypto
import Foundation
import Messaging

/// In the place of a code when the authenticator app is lost. 80 random bits, used once, and stored as a hash: so many bits
/// need no slow one.
struct RecoveryCode: Sendable {
    static let bytes = 10

    /// `ABCD-EFGH-IJKL-MNOP`.
    let text: String

    static func generate() -> RecoveryCode {
        let letters = Array(Base32.encode((0..<bytes).map { _ in UInt8.random(in: .min ... .max) }))
        let groups = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
        return RecoveryCode(text: groups.joined(separator: "-"))
    }

    /// Whatever case and spaces it was typed in.
    static func hash(_ typed: String, of account: UUID) -> [UInt8] {
        let letters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
        return Array(SHA256.hash(data: Data("serai recovery code \(account.text) \(letters)".utf8)))
    }
}

extension Device {
    /// What is kept of a device, beside the name in its session: nobody finds an app's id in it, nor the same device of two
    /// accounts.
    func hash(of account: UUID) -> [UInt8] {
        Array(SHA256.hash(data: Data("serai device \(account.text) \(name?.text ?? "") \(id ?? "")".utf8)))
    }
}
