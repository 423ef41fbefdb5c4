import Foundation

/// One of the project's scripts, run as a child process.
///
/// The caller's thread is not held while the script runs. A cancelled task does not end it: a script has deadlines of
/// its own, and half a start or half a stop would leave servers behind.
public struct ServerScript: Sendable {
    let name: String
    let folder: String

    /// - Parameter folder: of the project.
    public init(name: String, folder: String = "scripts") {
        self.name = name
        self.folder = folder
    }

    /// Runs the script and returns what it printed.
    /// - Parameter environment: beside the caller's own.
    /// - Throws: ``ServerScriptError`` if it cannot run or exits with another code than 0.
    @discardableResult
    public func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let path = TestServers.projectDirectory.appending(path: "\(folder)/\(name)")
        // Files, not pipes: nobody has to read them while the script runs.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "serai-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { remove(scratch) }
        let output = try Self.newFile(scratch.appending(path: "output"))
        let errors = try Self.newFile(scratch.appending(path: "errors"))

        let process = Process()
        process.executableURL = path
        process.arguments = arguments
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = errors.handle
        let code = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.runWithSignalsUnblocked()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: ServerScriptError(script: name, verb: arguments.first, text: "\(error)"))
            }
        }
        let printed = try String(contentsOf: output.url, encoding: .utf8)
        guard code == 0 else {
            let text = try String(contentsOf: errors.url, encoding: .utf8)
            throw ServerScriptError(script: name, verb: arguments.first, text: "exit code \(code): \(text)")
        }
        return printed
    }

    private static func newFile(_ url: URL) throws -> (url: URL, handle: FileHandle) {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return (url, try FileHandle(forWritingTo: url))
    }

    private func remove(_ folder: URL) {
        // A left-over scratch folder in the system's temporary folder harms no test.
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A server script failed.
public struct ServerScriptError: Error, CustomStringConvertible {
    /// The script's file name.
    public let script: String
    /// Its first argument, such as `start`.
    public let verb: String?
    /// What it wrote to standard error.
    public let text: String

    public var description: String { "\(script) \(verb ?? ""): \(text)" }
}
