import Foundation
import Glibc
import TestKit

/// A process of one of the project's executables, which stand beside the test bundle.
final class Program: Sendable {
    struct NotBuilt: Error { let tried: [String] }
    struct Failed: Error, CustomStringConvertible {
        let name: String
        let exitCode: Int32
        let log: String
        var description: String { "\(name) ended with \(exitCode): \(log)" }
    }

    let name: String
    private let log: URL
    private let process: Child

    /// `Process` is thread-safe for what is asked of it here, which Foundation does not say.
    private actor Child {
        let process = Process()
        func start(_ executable: URL, _ arguments: [String], _ environment: [String: String], log: FileHandle) throws {
            process.executableURL = executable
            process.arguments = arguments
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = log
            process.standardError = log
            try process.runWithSignalsUnblocked()
        }
        var isRunning: Bool { process.isRunning }
        var exitCode: Int32 { process.terminationStatus }
        func signal(_ number: Int32) {
            guard process.isRunning else { return }
            _ = Glibc.kill(process.processIdentifier, number)
        }
    }

    private init(name: String, log: URL, process: Child) {
        self.name = name
        self.log = log
        self.process = process
    }

    /// - Parameter folder: where its log goes.
    static func start(
        _ name: String, _ arguments: [String], environment: [String: String], folder: URL
    ) async throws -> Program {
        try await start(name, at: executable(name), arguments, environment: environment, folder: folder)
    }

    /// One of the programs that `scripts/install` has fetched.
    static func start(
        tool: String, _ arguments: [String], environment: [String: String], folder: URL
    ) async throws -> Program {
        let tools = TestServers.projectDirectory.appending(path: ".local/tools")
        let found = try FileManager.default.contentsOfDirectory(atPath: tools.path()).filter {
            $0.hasPrefix(tool + "-")
        }
        guard let name = found.max() else { throw NotBuilt(tried: [tools.path()]) }
        return try await start(
            tool, at: tools.appending(path: name), arguments, environment: environment, folder: folder)
    }

    private static func start(
        _ name: String, at executable: URL, _ arguments: [String], environment: [String: String], folder: URL
    ) async throws -> Program {
        let log = folder.appending(path: "\(name)-\(UUID().uuidString.prefix(8)).log")
        _ = FileManager.default.createFile(atPath: log.path(), contents: nil)
        let file = try FileHandle(forWritingTo: log)
        defer { try? file.close() }  // try?: the child has its own copy.
        var all = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SERAI_") }
        all["SWIFT_BACKTRACE"] = "enable=no"
        all.merge(environment) { _, new in new }
        let child = Child()
        try await child.start(executable, arguments, all, log: file)
        return Program(name: name, log: log, process: child)
    }

    /// Runs it to its end.
    /// - Returns: what it wrote.
    @discardableResult
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String], folder: URL,
        within limit: Duration = .seconds(150)
    ) async throws -> String {
        let program = try await start(name, arguments, environment: environment, folder: folder)
        return try await withTaskCancellationHandler {
            do {
                try await program.ended(within: limit)
            } catch {
                await program.kill()
                throw error
            }
            let code = await program.process.exitCode
            guard code == 0 else { throw Failed(name: "\(name) \(arguments)", exitCode: code, log: program.tail()) }
            return program.tail(bytes: 1 << 20)
        } onCancel: {
            Task { await program.kill() }
        }
    }

    var isRunning: Bool { get async { await process.isRunning } }

    func kill() async { await process.signal(SIGKILL) }
    func signal(_ number: Int32) async { await process.signal(number) }
    func terminate() async { await process.signal(SIGTERM) }

    func ended(within limit: Duration = .seconds(20)) async throws {
        try await eventually(within: limit, "\(name) has ended", poll: .milliseconds(20)) {
            await !process.isRunning
        }
    }

    /// The end of what it wrote.
    func tail(bytes: Int = 4_000) -> String {
        // try?: no log is no text.
        guard let data = try? Data(contentsOf: log) else { return "" }
        return String(decoding: data.suffix(bytes), as: UTF8.self)
    }

    /// What the next build changes: an executable's size and time.
    static func version(_ name: String) throws -> String {
        let file = try executable(name).resolvingSymlinksInPath()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
        return "\(file.path()) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
    }

    private static func executable(_ name: String) throws -> URL {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [
            bundle.deletingLastPathComponent(), TestServers.projectDirectory.appending(path: ".build/debug"),
        ].map { $0.appending(path: name) }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path()) }) else {
            throw NotBuilt(tried: candidates.map { $0.path() })
        }
        return found
    }
}
