import Foundation
import SeraiJSON
import ServiceKit

/// Creates the key files of a deployment: the key that signs access tokens, its public half for all services, and the
/// keys of personal data. Existing files stay; nothing is overwritten.
struct CreateKeys: Sendable {
    static let signingKeyFile = "token-signing.json"
    static let keySetFile = "jwks.json"
    static let personalDataKeysFile = "personal-data.json"

    struct Outcome: Equatable, Sendable {
        var created: [String] = []
        var kept: [String] = []
    }

    let directory: URL
    var algorithm: TokenSigningKey.Algorithm = .edDSA

    /// - Parameter keyID: the name of the personal data key, such as the month of its creation.
    func callAsFunction(keyID: String) async throws -> Outcome {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var outcome = Outcome()
        let fresh = try TokenSigningKey.generate(algorithm)
        try write(Self.signingKeyFile, isSecret: true, &outcome) { try fresh.json }
        // Read back, since another process may have written the file first.
        let keys = try TokenSigningKeys(json: try Data(contentsOf: directory.appending(path: Self.signingKeyFile)))
        try write(Self.keySetFile, isSecret: false, &outcome) { try keys.keySet }
        try write(Self.personalDataKeysFile, isSecret: true, &outcome) {
            Data(try JSON.sorted.encode(PersonalDataKeys.generate(id: keyID)))
        }
        return outcome
    }

    /// Writes a file unless it exists. A secret file is readable by its owner alone from the beginning.
    private func write(
        _ name: String, isSecret: Bool, _ outcome: inout Outcome, _ contents: () throws -> Data
    ) throws {
        let path = directory.appending(path: name).path(percentEncoded: false)
        guard !FileManager.default.fileExists(atPath: path) else {
            outcome.kept.append(name)
            return
        }
        let draft = path + ".\(UUID().uuidString)"
        let mode = isSecret ? 0o600 : 0o644
        guard
            FileManager.default.createFile(
                atPath: draft, contents: try contents(), attributes: [.posixPermissions: mode])
        else { throw CocoaError(.fileWriteUnknown) }
        // Renamed when complete, and never over a file that another process wrote in the meantime.
        do {
            try FileManager.default.moveItem(atPath: draft, toPath: path)
            outcome.created.append(name)
        } catch {
            try FileManager.default.removeItem(atPath: draft)
            throw error
        }
    }
}
