import Foundation
import SeraiJSON
import ServiceKit

/// The private keys of access tokens, as stored in their file: the key that signs, earlier keys whose tokens may still
/// be valid, and a future key that signs when every reader has had time to learn of it.
///
/// The file is a JSON Web Key Set in which each key has the time from which it signs (`from`, seconds since 1970), or a
/// single JSON Web Key. Keys may have different algorithms: a rotation changes from one to another.
struct TokenSigningKeys: Sendable {
    struct Entry: Sendable {
        let key: TokenSigningKey
        let from: Date
    }

    private struct Document: Codable {
        let keys: [TokenSigningKey.Document]
    }

    /// The longest lifetime that a token can be configured to have: one hour.
    static let longestTokenSeconds: Double = 3_600

    /// In the order in which the keys sign; never empty.
    let entries: [Entry]

    init(_ key: TokenSigningKey) { entries = [Entry(key: key, from: .distantPast)] }

    private init(entries: [Entry]) { self.entries = entries }

    init(json: Data) throws(TokenSigningKey.Fault) {
        if let key = Self.single(json) {
            self.init(key)
            return
        }
        var entries: [Entry] = []
        do {
            for key in try JSON.stored.decode(Document.self, json).keys {
                guard let from = key.from else { throw TokenSigningKey.Fault.unreadable }
                entries.append(Entry(key: try TokenSigningKey(key), from: Date(timeIntervalSince1970: from)))
            }
        } catch {
            throw .unreadable
        }
        guard !entries.isEmpty else { throw .unreadable }
        self.init(entries: entries.sorted { $0.from < $1.from })
    }

    private static func single(_ json: Data) -> TokenSigningKey? {
        // A failure here means a key set, or an error that parsing the set reports.
        try? TokenSigningKey(json: json)
    }

    /// The key that was added last.
    var newest: Entry { entries[entries.count - 1] }

    /// The key that signs.
    func current(at now: Date) -> Entry {
        entries.last { $0.from <= now } ?? entries[0]
    }

    /// The key that is already known and does not sign yet.
    func next(at now: Date) -> Entry? {
        guard let last = entries.last, last.from > now, entries.count > 1 else { return nil }
        return last
    }

    /// The keys with a new one, and without those whose last tokens have expired.
    func adding(_ key: TokenSigningKey, from: Date, at now: Date) -> TokenSigningKeys {
        let all = entries + [Entry(key: key, from: from)]
        let kept = all.indices.filter { index in
            // A key stops signing when the next one begins.
            guard all.indices.contains(index + 1) else { return true }
            let lastExpiry = all[index + 1].from.addingTimeInterval(Self.longestTokenSeconds + SessionRule.clockSeconds)
            return lastExpiry > now
        }
        return TokenSigningKeys(entries: kept.map { all[$0] })
    }

    /// The contents of the private file.
    var json: Data {
        get throws {
            let keys = try entries.map { entry in
                var document = try entry.key.document
                document.from = max(0, entry.from.timeIntervalSince1970)
                return document
            }
            return Data(try JSON.sorted.encode(Document(keys: keys)))
        }
    }

    /// The public halves of all keys, for all verifiers of tokens.
    var keySet: Data {
        get throws {
            let keys = try entries.map { try $0.key.key.publicJWK(id: $0.key.id) }
            return Data("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)
        }
    }
}
