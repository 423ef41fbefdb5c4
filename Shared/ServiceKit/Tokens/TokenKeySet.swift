import Foundation
import JWTKit

/// The public keys that tokens are checked with: the Ed25519 keys of a JSON Web Key Set (RFC 7517, RFC 8037).
public struct TokenKeySet: Sendable {
    public enum LoadError: Error, Equatable, CustomStringConvertible {
        case notAKeySet
        case noUsableKey
        case repeatedKeyID(String)
        case badKey(String)
        /// A set that is given to services must not hold private keys.
        case privateKey(String)

        public var description: String {
            switch self {
            case .notAKeySet: "it is not a JSON Web Key Set"
            case .noUsableKey: "it has no Ed25519 key for signatures"
            case .repeatedKeyID(let id): "the key id \(id) appears twice"
            case .badKey(let id): "the key \(id) is not an Ed25519 key"
            case .privateKey(let id): "the key \(id) is a private key"
            }
        }
    }

    let keys: [String: EdDSA.PublicKey]

    private struct Document: Decodable {
        struct Key: Decodable {
            let kty: String
            let crv: String?
            let kid: String?
            let x: String?
            let d: String?
            let use: String?
            let alg: String?
        }
        let keys: [Key]
    }

    /// Keys of other kinds are passed over, as RFC 7517 asks.
    public init(json: some Sequence<UInt8>) throws(LoadError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch {
            throw .notAKeySet
        }
        var keys: [String: EdDSA.PublicKey] = [:]
        for key in document.keys where key.kty == "OKP" && key.crv == "Ed25519" {
            guard key.use ?? "sig" == "sig", key.alg ?? "EdDSA" == "EdDSA", let id = key.kid else { continue }
            guard key.d == nil else { throw .privateKey(id) }
            guard keys[id] == nil else { throw .repeatedKeyID(id) }
            do {
                keys[id] = try EdDSA.PublicKey(x: key.x ?? "", curve: .ed25519)
            } catch {
                throw .badKey(id)
            }
        }
        guard !keys.isEmpty else { throw .noUsableKey }
        self.keys = keys
    }

    public var keyIDs: Set<String> { Set(keys.keys) }
}
