import Crypto
import Foundation

/// What binds a sign-in to the app that began it: 256 random bits that the app keeps and shows again at the end. PKCE's
/// verifier (RFC 7636) and the nonce come out of it, so the database has nothing that a code could be redeemed with.
struct OpenIDSecret: Sendable {
    private let key: SymmetricKey
    /// What the app keeps.
    let text: String

    static func generate() -> OpenIDSecret {
        OpenIDSecret(bytes: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
    }

    /// Nil for what cannot be one.
    init?(text: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: Data) {
        key = SymmetricKey(data: bytes)
        text = Base64URL.encode(bytes)
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// Goes to the provider with the code.
    var verifier: String { derived("code verifier") }
    /// Goes to the provider with the person.
    var challenge: String { Base64URL.encode(Data(SHA256.hash(data: Data(verifier.utf8)))) }
    /// Comes back in the ID token.
    var nonce: String { derived("nonce") }

    private func derived(_ purpose: String) -> String {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Data("serai openid v1 \(purpose)".utf8), outputByteCount: 32)
        return Base64URL.encode(derived.withUnsafeBytes { Data($0) })
    }
}
