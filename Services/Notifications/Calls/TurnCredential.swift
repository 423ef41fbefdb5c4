import Crypto
import Foundation

/// A name and password with which a browser may use the relay until a moment, in the form that coturn checks with
/// `use-auth-secret`: the name is `expiry:alias`, the password base64 of its HMAC-SHA1 under the shared secret
/// (draft-uberti-behave-turn-rest-00).
struct TurnCredential: Sendable, Equatable {
    let username: String
    let password: String

    /// - Parameter expiresAt: after it coturn takes no new allocation by this name.
    init(account: UUID, call: UUID, expiresAt: Date, secret: [UInt8]) {
        let key = SymmetricKey(data: secret)
        username = "\(Int(expiresAt.timeIntervalSince1970)):\(Self.alias(of: account, in: call, key: key))"
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Data(username.utf8), using: key)
        password = Data(code).base64EncodedString()
    }

    /// The name travels unencrypted in STUN and stands in coturn's log, so it must not tell the account, nor be the
    /// same in two calls of one account.
    private static func alias(of account: UUID, in call: UUID, key: SymmetricKey) -> String {
        let named = Data("alias \(call.uuidString) \(account.uuidString)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: named, using: key)
        return code.prefix(12).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
