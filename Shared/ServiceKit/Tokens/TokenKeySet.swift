import Foundation
import SeraiJSON

/// The public keys that verify tokens: those of a JSON Web Key Set (RFC 7517) for EdDSA, ES256 or RS256.
public struct TokenKeySet: Sendable {
    public enum LoadError: Error, Equatable, CustomStringConvertible {
        case notAKeySet
        case noUsableKey
        case repeatedKeyID(String)
        case badKey(String)
        /// A set for services must not contain private keys.
        case privateKey(String)

        public var description: String {
            switch self {
            case .notAKeySet: "it is not a JSON Web Key Set"
            case .noUsableKey: "it has no key for signatures by EdDSA, ES256 or RS256"
            case .repeatedKeyID(let id): "the key id \(id) appears twice"
            case .badKey(let id): "the key \(id) is not what it says"
            case .privateKey(let id): "the key \(id) is a private key"
            }
        }
    }

    /// Members of secret keys only: `d` of all kinds, the primes of RSA, `k` of symmetric keys.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    let keys: [String: SignatureKey]

    /// Skips keys of other kinds, as RFC 7517 requires, but refuses a secret key of any kind: the file must not have it.
    public init(json: some Sequence<UInt8>) throws(LoadError) {
        // try?: an unreadable text is no key set.
        guard let document = try? JSONValue(parsing: Data(json)), case .array(let entries)? = document["keys"] else {
            throw .notAKeySet
        }
        var keys: [String: SignatureKey] = [:]
        for entry in entries {
            let name: String? = if case .string(let id)? = entry["kid"] { id } else { nil }
            guard Self.privateMembers.allSatisfy({ entry[$0] == nil }) else { throw .privateKey(name ?? "") }
            guard let id = name else { continue }
            let key: SignatureKey
            do {
                key = try SignatureKey(jwk: entry)
            } catch {
                guard error == .notOurs else { throw .badKey(id) }
                continue
            }
            guard keys[id] == nil else { throw .repeatedKeyID(id) }
            keys[id] = key
        }
        guard !keys.isEmpty else { throw .noUsableKey }
        self.keys = keys
    }

    public var keyIDs: Set<String> { Set(keys.keys) }

    /// The algorithms by which tokens may be signed, sorted by name.
    public var algorithms: [String] { Set(keys.values.map(\.algorithm)).sorted() }
}
