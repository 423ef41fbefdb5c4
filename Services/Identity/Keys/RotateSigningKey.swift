import Foundation

/// Adds a signing key to the files of ``CreateKeys``, at first only to be known: it signs when every service, and everybody
/// who keeps the published key set for its five minutes, has had the time to read it. The keys before it are published
/// until their last tokens have expired.
struct RotateSigningKey: Sendable {
    enum Outcome: Equatable, Sendable {
        case added(id: String, from: Date)
        /// An earlier one does not sign yet.
        case pending(id: String, from: Date)
    }

    let directory: URL
    /// The key set as services read it; one beside the private keys is kept the same.
    let published: URL
    /// Of the new key; nil is that of the newest one.
    let algorithm: TokenSigningKey.Algorithm?

    init(directory: URL, published: URL? = nil, algorithm: TokenSigningKey.Algorithm? = nil) {
        self.algorithm = algorithm
        self.directory = directory
        self.published = published ?? directory.appending(path: CreateKeys.keySetFile)
    }

    /// - Parameter delay: seconds until it signs.
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
        // The public half first: a key that nobody signs with does no harm, one that nobody knows does.
        let beside = directory.appending(path: CreateKeys.keySetFile)
        try replace(published, try rotated.keySet, mode: 0o644)
        if beside.standardizedFileURL != published.standardizedFileURL {
            try replace(beside, try rotated.keySet, mode: 0o644)
        }
        try replace(file, try rotated.json, mode: 0o600)
        return .added(id: fresh.id, from: from)
    }

    /// Of two rotations at once the second sees what the first has left.
    private func alone<R>(_ body: () throws -> R) throws -> R {
        let path = directory.appending(path: CreateKeys.signingKeyFile + ".lock").path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { _ = close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
        return try body()
    }

    /// Readers see the old file or the new one, whole.
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
