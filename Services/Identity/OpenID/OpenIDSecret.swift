import Crypto
import Foundation

/// The secret that binds a sign-in to the app that began it: 256 random bits, kept by the app and sent back at the end.
/// PKCE's verifier (RFC 7636) and the nonce are derived from it, so the database holds nothing with which a code could
/// be redeemed.
struct OpenIDSecret: Sendable {
    private let key: SymmetricKey
    /// The text that the app keeps.
    let text: String

    static func generate() -> OpenIDSecret {
        OpenIDSecret(bytes: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
    }

    /// Nil for a text that is not a secret.
    init?(text: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: Data) {
        key = SymmetricKey(data: bytes)
        text = Base64URL.encode(bytes)
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// Sent to the provider with the code.
    var verifier: String { derived("code verifier") }
    /// Sent to the provider in the sign-in URL.
    var challenge: String { Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8)))) }
    /// Comes back in the ID token.
    var nonce: String { derived("nonce") }

    private func derived(_ purpose: String) -> String {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Data("serai openid v1 \(purpose)".utf8), outputByteCount: 32)
        return Base64URL.encode(derived.withUnsafeBytes { Data($0) })
    }
}
