import Crypto
import Foundation
import SeraiJSON

/// The keys of personal data, as stored in a file outside the database (I14).
///
/// The file may list several keys: each value names the key that sealed it, and `current` seals new values. The lookup
/// key cannot be changed without computing all hashes anew.
struct PersonalDataKeys: Codable, Sendable {
    enum Fault: Error, Equatable, CustomStringConvertible {
        case unreadable
        case badKey(id: String)
        case noCurrentKey
        case keyExists(id: String)

        var description: String {
            switch self {
            case .unreadable: "the file of personal data keys cannot be read"
            case .badKey(let id): "the personal data key \(id) is not 32 bytes in base 64 with an id of 1 to 32 letters"
            case .keyExists(let id): "there is a personal data key \(id) already"
            case .noCurrentKey: "the current personal data key is not among the keys"
            }
        }
    }

    let current: String
    /// Keys of 32 bytes in base 64, by id.
    let keys: [String: String]
    /// A key of 32 bytes in base 64.
    let lookup: String

    /// Generates new random keys.
    static func generate(id: String) -> PersonalDataKeys {
        PersonalDataKeys(current: id, keys: [id: newKey()], lookup: newKey())
    }

    init(current: String, keys: [String: String], lookup: String) {
        self.current = current
        self.keys = keys
        self.lookup = lookup
    }

    init(json: Data) throws(Fault) {
        do {
            self = try JSON.stored.decode(PersonalDataKeys.self, json)
        } catch {
            throw .unreadable
        }
    }

    /// The decoded keys.
    func symmetricKeys() throws(Fault) -> (keys: [String: SymmetricKey], lookup: SymmetricKey) {
        var decoded: [String: SymmetricKey] = [:]
        for (id, text) in keys { decoded[id] = try Self.key(text, id: id) }
        guard decoded[current] != nil else { throw .noCurrentKey }
        return (decoded, try Self.key(lookup, id: "lookup"))
    }

    private static func key(_ text: String, id: String) throws(Fault) -> SymmetricKey {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32, (1...32).contains(id.utf8.count) else {
            throw .badKey(id: id)
        }
        return SymmetricKey(data: bytes)
    }

    private static func newKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}
