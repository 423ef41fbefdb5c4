import Foundation
import ServiceKit

/// The keys that a provider signs ID tokens with: those of its JSON Web Key Set that are for RS256, ES256 or EdDSA. Each
/// is for one algorithm, whatever a token's head says.
struct IDTokenKeys: Sendable {
    typealias Key = SignatureKey

    static let maximumKeys = 100

    private let keys: [String: Key]

    /// Keys of other kinds, for other uses, or that cannot be read are passed over, as RFC 7517 (5) asks. Nil when no key
    /// is left.
    init?(_ json: JSONValue) {
        guard case .array(let entries)? = json["keys"], entries.count <= Self.maximumKeys else { return nil }
        var keys: [String: Key] = [:]
        for entry in entries {
            // try?: a key that cannot be read is passed over.
            guard case .string(let id)? = entry["kid"], let key = try? SignatureKey(jwk: entry) else { continue }
            // Nobody can tell which of two is meant.
            guard keys[id] == nil else { return nil }
            keys[id] = key
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    subscript(id: String) -> Key? { keys[id] }
}
