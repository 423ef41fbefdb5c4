import Foundation
import ServiceKit

/// Makes the keys of a deployment as files: one to sign access tokens, its public half for all services, and those of
/// personal data. What is there already stays; nothing is overwritten.
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

    /// - Parameter keyID: names the personal data key, such as the month it was made in.
    func callAsFunction(keyID: String) async throws -> Outcome {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var outcome = Outcome()
        let fresh = try TokenSigningKey.generate(algorithm)
        try write(Self.signingKeyFile, isSecret: true, &outcome) { try fresh.json }
        // Whichever was there first.
        let keys = try TokenSigningKeys(json: try Data(contentsOf: directory.appending(path: Self.signingKeyFile)))
        try write(Self.keySetFile, isSecret: false, &outcome) { try keys.keySet }
        try write(Self.personalDataKeysFile, isSecret: true, &outcome) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(PersonalDataKeys.generate(id: keyID))
        }
        return outcome
    }

    /// Readable by the owner alone from its first moment, if it is a secret.
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
        // Renamed when complete, and never onto a file that another process made meanwhile.
        do {
            try FileManager.default.moveItem(atPath: draft, toPath: path)
            outcome.created.append(name)
        } catch {
            try FileManager.default.removeItem(atPath: draft)
            throw error
        }
    }
}
