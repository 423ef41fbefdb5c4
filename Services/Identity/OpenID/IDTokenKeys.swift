import Foundation
import SeraiJSON
import ServiceKit

/// The keys with which a provider signs ID tokens: the keys of its JSON Web Key Set for RS256, ES256 or EdDSA. Each key
/// is for one algorithm, whatever a token's header says.
struct IDTokenKeys: Sendable {
    typealias Key = SignatureKey

    static let maximumKeys = 100

    private let keys: [String: Key]

    /// Skips keys of other kinds, for other uses, or that cannot be read, as RFC 7517 (section 5) requires. Nil when no
    /// key is left.
    init?(_ json: JSONValue) {
        guard case .array(let entries)? = json["keys"], entries.count <= Self.maximumKeys else { return nil }
        var keys: [String: Key] = [:]
        for entry in entries {
            // try?: a key that cannot be read is skipped.
            guard case .string(let id)? = entry["kid"], let key = try? SignatureKey(jwk: entry) else { continue }
            // Two keys with one id are ambiguous.
            guard keys[id] == nil else { return nil }
            keys[id] = key
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    subscript(id: String) -> Key? { keys[id] }
}
