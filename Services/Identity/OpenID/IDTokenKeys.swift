import Crypto
import CryptoExtras
import Foundation
import ServiceKit

/// The keys that a provider signs ID tokens with: those of its JSON Web Key Set that are for RS256, ES256 or EdDSA. Each
/// is for one algorithm, whatever a token's head says.
struct IDTokenKeys: Sendable {
    enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)

        /// As a token's head names it.
        var algorithm: String {
            switch self {
            case .rsa: "RS256"
            case .p256: "ES256"
            case .ed25519: "EdDSA"
            }
        }

        func isValid(_ signature: Data, for message: Data) -> Bool {
            switch self {
            case .rsa(let key):
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                    padding: .insecurePKCS1v1_5)
            case .p256(let key):
                // try?: what has not the length of a signature is none.
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: message)
            case .ed25519(let key): return key.isValidSignature(signature, for: message)
            }
        }
    }

    static let maximumKeys = 100

    private let keys: [String: Key]

    /// Keys of other kinds, for other uses, or that cannot be read are passed over, as RFC 7517 (5) asks. Nil when no key
    /// is left.
    init?(_ json: JSONValue) {
        guard case .array(let entries)? = json["keys"], entries.count <= Self.maximumKeys else { return nil }
        var keys: [String: Key] = [:]
        for entry in entries {
            guard case .string(let id)? = entry["kid"], let key = Self.key(entry) else { continue }
            // Nobody can tell which of two is meant.
            guard keys[id] == nil else { return nil }
            keys[id] = key
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    subscript(id: String) -> Key? { keys[id] }

    private static func key(_ json: JSONValue) -> Key? {
        guard json["use"] ?? "sig" == "sig" else { return nil }
        func bytes(_ name: String) -> Data? {
            guard case .string(let encoded)? = json[name], encoded.utf8.count <= 2_048 else { return nil }
            return Base64URL.decode(encoded)
        }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = json[name] else { return nil }
            return text
        }
        func isFor(_ algorithm: String) -> Bool { json["alg"] ?? .string(algorithm) == .string(algorithm) }
        // try?: a key that cannot be read is passed over. RSA keys of less than 2048 bits are none.
        switch (text("kty"), text("crv")) {
        case ("RSA", nil) where isFor("RS256"):
            guard let n = bytes("n"), let e = bytes("e") else { return nil }
            return (try? _RSA.Signing.PublicKey(n: n, e: e)).map(Key.rsa)
        case ("EC", "P-256") where isFor("ES256"):
            guard let x = bytes("x"), let y = bytes("y"), x.count == 32, y.count == 32 else { return nil }
            return (try? P256.Signing.PublicKey(rawRepresentation: x + y)).map(Key.p256)
        case ("OKP", "Ed25519") where isFor("EdDSA"):
            guard let x = bytes("x") else { return nil }
            return (try? Curve25519.Signing.PublicKey(rawRepresentation: x)).map(Key.ed25519)
        default: return nil
        }
    }
}
