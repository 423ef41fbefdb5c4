public import Crypto
public import CryptoExtras
import Foundation

/// A private key that signs access tokens, with its algorithm.
///
/// EdDSA is the default. ES256 and RS256 are for gateways without EdDSA.
public enum AccessTokenKey: Sendable {
    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    /// The algorithm's name in a token's header.
    public var algorithm: String {
        switch self {
        case .ed25519: "EdDSA"
        case .p256: "ES256"
        case .rsa: "RS256"
        }
    }

    /// The members of the public half that make its thumbprint (RFC 7638), in order.
    public var publicMembers: [(name: String, value: String)] {
        get throws {
            switch self {
            case .ed25519(let key):
                return [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64URL.encode(key.publicKey.rawRepresentation))]
            case .p256(let key):
                let point = key.publicKey.rawRepresentation
                return [
                    ("crv", "P-256"), ("kty", "EC"), ("x", Base64URL.encode(point.prefix(32))),
                    ("y", Base64URL.encode(point.suffix(32))),
                ]
            case .rsa(let key):
                let parts = try key.publicKey.getKeyPrimitives()
                return [
                    ("e", Base64URL.encode(parts.publicExponent)), ("kty", "RSA"),
                    ("n", Base64URL.encode(parts.modulus)),
                ]
            }
        }
    }

    /// The public half as a JSON Web Key. All its texts are names and base64url, so nothing needs escaping.
    public func publicJWK(id: String) throws -> String {
        let members =
            [("use", "sig"), ("alg", algorithm), ("kid", id)] + (try publicMembers.map { ($0.name, $0.value) })
        return "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
    }
}
