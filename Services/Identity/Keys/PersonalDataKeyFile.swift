import Foundation

/// The file of personal data keys, changed as a whole: readers see the old one or the new one.
struct PersonalDataKeyFile: Sendable {
    let url: URL

    func change(_ step: (PersonalDataKeys) throws -> PersonalDataKeys) throws {
        let keys = try step(try PersonalDataKeys(json: try Data(contentsOf: url)))
        // Checked as the service does when it starts.
        _ = try keys.symmetricKeys()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let path = url.path(percentEncoded: false)
        let draft = path + ".\(UUID().uuidString)"
        guard
            FileManager.default.createFile(
                atPath: draft, contents: try encoder.encode(keys), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(draft, path) == 0 else {
            try FileManager.default.removeItem(atPath: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

extension PersonalDataKeys {
    /// With one more key, which nothing is sealed with yet.
    ///
    /// - Throws: ``Fault/keyExists(id:)``.
    func adding(id: String) throws(Fault) -> PersonalDataKeys {
        guard keys[id] == nil else { throw .keyExists(id: id) }
        let fresh = PersonalDataKeys.generate(id: id)
        return PersonalDataKeys(current: current, keys: keys.merging(fresh.keys) { $1 }, lookup: lookup)
    }

    /// With another key that new values are sealed with.
    ///
    /// - Throws: ``Fault/noCurrentKey``.
    func using(id: String) throws(Fault) -> PersonalDataKeys {
        guard keys[id] != nil else { throw .noCurrentKey }
        return PersonalDataKeys(current: id, keys: keys, lookup: lookup)
    }
}
