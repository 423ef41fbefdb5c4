import Foundation
import SeraiJSON

/// The file of personal data keys. It is replaced as a whole, so readers see the old or the new one.
struct PersonalDataKeyFile: Sendable {
    let url: URL

    func change(_ step: (PersonalDataKeys) throws -> PersonalDataKeys) throws {
        let keys = try step(try PersonalDataKeys(json: try Data(contentsOf: url)))
        // The same check as at the service's start.
        _ = try keys.symmetricKeys()
        let path = url.path(percentEncoded: false)
        let draft = path + ".\(UUID().uuidString)"
        guard
            FileManager.default.createFile(
                atPath: draft, contents: Data(try JSON.sorted.encode(keys)), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(draft, path) == 0 else {
            try FileManager.default.removeItem(atPath: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

extension PersonalDataKeys {
    /// The keys with a new one, which does not seal yet.
    ///
    /// - Throws: ``Fault/keyExists(id:)``.
    func adding(id: String) throws(Fault) -> PersonalDataKeys {
        guard keys[id] == nil else { throw .keyExists(id: id) }
        let fresh = PersonalDataKeys.generate(id: id)
        return PersonalDataKeys(current: current, keys: keys.merging(fresh.keys) { $1 }, lookup: lookup)
    }

    /// The keys with another one as the key that seals new values.
    ///
    /// - Throws: ``Fault/noCurrentKey``.
    func using(id: String) throws(Fault) -> PersonalDataKeys {
        guard keys[id] != nil else { throw .noCurrentKey }
        return PersonalDataKeys(current: id, keys: keys, lookup: lookup)
    }
}
