import Foundation

/// Adds a signing key to the files of ``CreateKeys``. It is published at once and signs later, when every service and
/// every client that caches the key set for five minutes has had time to read it. Earlier keys stay published until
/// their last tokens have expired.
struct RotateSigningKey: Sendable {
    enum Outcome: Equatable, Sendable {
        case added(id: String, from: Date)
        /// The key of an earlier rotation does not sign yet.
        case pending(id: String, from: Date)
    }

    let directory: URL
    /// The key set file that services read; the copy beside the private keys has the same contents.
    let published: URL
    /// The new key's algorithm; nil for that of the newest key.
    let algorithm: TokenSigningKey.Algorithm?

    init(directory: URL, published: URL? = nil, algorithm: TokenSigningKey.Algorithm? = nil) {
        self.algorithm = algorithm
        self.directory = directory
        self.published = published ?? directory.appending(path: CreateKeys.keySetFile)
    }

    /// - Parameter delay: seconds until the new key signs.
    func callAsFunction(after delay: Double, at now: Date) throws -> Outcome {
        try alone { try rotate(after: delay, at: now) }
    }

    private func rotate(after delay: Double, at now: Date) throws -> Outcome {
        let file = directory.appending(path: CreateKeys.signingKeyFile)
        let keys = try TokenSigningKeys(json: try Data(contentsOf: file))
        if let next = keys.next(at: now) { return .pending(id: next.key.id, from: next.from) }
        let fresh = try TokenSigningKey.generate(algorithm ?? keys.newest.key.algorithm)
        let from = Date(timeIntervalSince1970: now.addingTimeInterval(delay).timeIntervalSince1970.rounded(.up))
        let rotated = keys.adding(fresh, from: from, at: now)
        // The public half first: a published key that does not sign does no harm, but a signing key that is not
        // published does.
        let beside = directory.appending(path: CreateKeys.keySetFile)
        try replace(published, try rotated.keySet, mode: 0o644)
        if beside.standardizedFileURL != published.standardizedFileURL {
            try replace(beside, try rotated.keySet, mode: 0o644)
        }
        try replace(file, try rotated.json, mode: 0o600)
        return .added(id: fresh.id, from: from)
    }

    /// Holds a file lock, so that the second of two rotations at once sees the result of the first.
    private func alone<R>(_ body: () throws -> R) throws -> R {
        let path = directory.appending(path: CreateKeys.signingKeyFile + ".lock").path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { _ = close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
        return try body()
    }

    /// Replaces a file; readers see the old or the new one as a whole.
    private func replace(_ file: URL, _ contents: Data, mode: Int) throws {
        let draft = file.path(percentEncoded: false) + ".\(UUID().uuidString)"
        guard
            FileManager.default.createFile(atPath: draft, contents: contents, attributes: [.posixPermissions: mode])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(draft, file.path(percentEncoded: false)) == 0 else {
            try FileManager.default.removeItem(atPath: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
