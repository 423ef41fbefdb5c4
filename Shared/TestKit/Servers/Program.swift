public import Foundation
public import LocalPlatform

/// A process of one of the project's programs, which stand beside the running one, else among those of the debug build.
///
/// None of the `SERAI_…` of this process's environment reach it.
public struct Program: Sendable {
    public struct Failed: Error, CustomStringConvertible {
        public let name: String
        public let exitCode: Int32
        public let log: String

        public init(name: String, exitCode: Int32, log: String) {
            (self.name, self.exitCode, self.log) = (name, exitCode, log)
        }

        public var description: String { "\(name) ended with \(exitCode): \(log)" }
    }

    public let name: String
    private let process: ChildProcess
    private let log: URL?

    /// - Parameters:
    ///   - environment: beside the caller's own.
    ///   - folder: where its log goes; nil: what it says is dropped.
    public static func start(
        _ name: String, _ arguments: [String], environment: [String: String], folder: URL?
    ) throws -> Program {
        let path = try Project.current.program(name)
        return try start(name, Command([path] + arguments, environment: environment), folder: folder)
    }

    /// A process of a deployment.
    public static func start(_ process: ProcessPlan, folder: URL) throws -> Program {
        let project = Project.current
        let path = process.service == "caddy" ? try project.tool("caddy") : try project.program(process.service)
        let command = Command([path] + process.arguments, environment: process.environment)
        return try start(process.name, command.run(by: ["env", "-C", project.folder]), folder: folder)
    }

    private static func start(_ name: String, _ command: Command, folder: URL?) throws -> Program {
        let log = folder?.appending(path: "\(name)-\(UUID().uuidString.prefix(8)).log")
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SERAI_") }
        let all = inherited.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(command.environment) { $1 }
        let output = log.map { ChildProcess.Output.appended(to: $0.path(percentEncoded: false)) } ?? .discarded
        let process = try ChildProcess(Command(command.words, environment: all), output: output)
        return Program(name: name, process: process, log: log)
    }

    /// Runs it to its end. Whoever cancels ends it.
    /// - Returns: what it wrote.
    @discardableResult
    public static func run(
        _ name: String, _ arguments: [String], environment: [String: String], folder: URL? = nil,
        within limit: Duration = .seconds(150)
    ) async throws -> String {
        let scratch = FileManager.default.temporaryDirectory
        let program = try start(name, arguments, environment: environment, folder: folder ?? scratch)
        // try?: a log that stays behind harms nothing.
        defer { if folder == nil, let log = program.log { try? FileManager.default.removeItem(at: log) } }
        do {
            try await program.ended(within: limit)
        } catch {
            program.kill()
            throw error
        }
        guard program.exitCode == 0 else {
            throw Failed(name: "\(name) \(arguments)", exitCode: program.exitCode, log: program.tail())
        }
        return program.tail(bytes: 1 << 20)
    }

    public var id: pid_t { process.id }
    public var isRunning: Bool { process.isRunning }
    /// As a shell has it; of one that runs -1.
    public var exitCode: Int32 { process.ending?.code ?? -1 }

    /// Does nothing to a process that has ended.
    public func signal(_ number: Int32) { process.send(number) }
    public func kill() { process.kill() }
    public func terminate() { process.terminate() }

    public func ended(within limit: Duration = .seconds(20)) async throws {
        try await eventually(within: limit, "\(name) has ended") { !process.isRunning }
    }

    /// The end of what it wrote.
    public func tail(bytes: Int = 4_000) -> String {
        // try?: no log is no text.
        guard let log, let data = try? Data(contentsOf: log) else { return "" }
        return String(decoding: data.suffix(bytes), as: UTF8.self)
    }

    /// The size and time of an executable, which the next build changes.
    public static func version(_ name: String) throws -> String {
        let file = URL(filePath: try Project.current.program(name)).resolvingSymlinksInPath()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
        return "\(file.path()) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
    }
}
