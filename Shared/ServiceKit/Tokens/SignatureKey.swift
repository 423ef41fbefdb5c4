public import Crypto
public import CryptoExtras
public import Foundation
public import SeraiJSON

/// A public key of a JSON Web Key Set (RFC 7517), for one algorithm only, whatever a token's header says.
public enum SignatureKey: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    public enum Fault: Error, Equatable {
        /// A key of another kind, use or algorithm; skipped, as RFC 7517 (section 5) requires.
        case notOurs
        /// A key that claims to be of our kind and is invalid.
        case unreadable
    }

    /// The supported algorithms; symmetric ones and `none` are not among them.
    public static let algorithms: Set = ["RS256", "ES256", "EdDSA"]

    /// The algorithm's name in a token's header.
    public var algorithm: String {
        switch self {
        case .rsa: "RS256"
        case .p256: "ES256"
        case .ed25519: "EdDSA"
        }
    }

    /// - Throws: ``Fault``. RSA keys of less than 2048 bits are unreadable.
    public init(jwk json: JSONValue) throws(Fault) {
        func text(_ name: String) -> String? {
            guard case .string(let text)? = json[name] else { return nil }
            return text
        }
        func bytes(_ name: String) throws(Fault) -> Data {
            guard let encoded = text(name), encoded.utf8.count <= 2_048, let bytes = Base64URL.decode(encoded[...])
            else {
                throw .unreadable
            }
            return bytes
        }
        func isFor(_ algorithm: String) -> Bool { json["alg"] ?? .string(algorithm) == .string(algorithm) }
        guard json["use"] ?? "sig" == "sig" else { throw .notOurs }
        do {
            switch (text("kty"), text("crv")) {
            case ("RSA", _) where isFor("RS256"):
                self = .rsa(try _RSA.Signing.PublicKey(n: try bytes("n"), e: try bytes("e")))
            case ("EC", "P-256") where isFor("ES256"):
                let (x, y) = (try bytes("x"), try bytes("y"))
                guard x.count == 32, y.count == 32 else { throw Fault.unreadable }
                self = .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
            case ("OKP", "Ed25519") where isFor("EdDSA"):
                self = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: try bytes("x")))
            default: throw Fault.notOurs
            }
        } catch {
            throw error as? Fault ?? .unreadable
        }
    }

    public func isValid(_ signature: Data, for message: Data) -> Bool {
        switch self {
        case .rsa(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5)
        case .p256(let key):
            // try?: data that does not have the length of a signature is no signature.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        case .ed25519(let key): return signature.count == 64 && key.isValidSignature(signature, for: message)
        }
    }
}
