import Crypto
import Foundation
import ServiceKit

/// The key by which push services of browsers know this server (RFC 8292).
struct VAPIDKey: Sendable {
    /// A token is good for at most a day; half of one leaves room for clocks that differ.
    static let lifetimeSeconds: Double = 43_200

    private let key: P256.Signing.PrivateKey
    /// Whom the operator of a push service can write to: `mailto:` or `https:`.
    private let subject: String
    /// For browsers that subscribe: the point, uncompressed, in base64url.
    let publicKey: String

    private struct Claims: Encodable {
        let aud: String
        let exp: Int
        let sub: String
    }

    /// - Parameter text: 32 bytes, in base64url or hexadecimal. Nil for what is no private key of P-256.
    init?(_ text: String, subject: String) {
        guard let bytes = Self.bytes(text), let key = Self.key(bytes) else { return nil }
        self.key = key
        self.subject = subject
        publicKey = Base64URL.encode(key.publicKey.x963Representation)
    }

    /// The value of the header `Authorization`.
    /// - Parameter origin: of the push service, such as `https://updates.push.services.mozilla.com`.
    func authorization(for origin: String, at now: Date) throws -> String {
        let claims = Claims(
            aud: origin, exp: Int(now.timeIntervalSince1970 + Self.lifetimeSeconds), sub: subject)
        return "vapid t=\(try SignedToken.es256(claims, key)), k=\(publicKey)"
    }

    private static func bytes(_ text: String) -> Data? {
        guard text.utf8.count == 64 else { return Base64URL.decode(text) }
        let characters = Array(text)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(characters[$0...($0 + 1)]), radix: 16) }
        return bytes.count == 32 ? Data(bytes) : nil
    }

    private static func key(_ bytes: Data) -> P256.Signing.PrivateKey? {
        do {
            return try P256.Signing.PrivateKey(rawRepresentation: bytes)
        } catch {
            return nil
        }
    }
}
