import Foundation
import Glibc
import TestKit

/// A worker of dispatch as it is deployed: a process of its own, beside the test bundle.
actor WorkerProcess {
    private let process = Process()
    private let log: URL

    /// Runs the program with these arguments; `serve` until it is killed.
    init(_ arguments: [String], database: String, broker: String) throws {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = [bundle, TestServers.projectDirectory.appending(path: ".build/debug")]
            .map { $0.appending(path: "dispatch") }
        process.executableURL = beside.first { FileManager.default.isExecutableFile(atPath: $0.path()) } ?? beside[0]
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SERAI_") }.merging([
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker, "SERAI_ROLE": "worker", "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_TOKENS_KEYS": SampleKeySet.json,
            "SERAI_LOG_LEVEL": "error", "SERAI_DATABASE_POOL_SIZE": "4", "SERAI_POSITIONS_FRESH_SECONDS": "3600",
            "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        log = FileManager.default.temporaryDirectory.appending(path: "worker-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path(), contents: nil)
        let file = try FileHandle(forWritingTo: log)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        try process.runWithSignalsUnblocked()
        try file.close()
    }

    deinit {
        // What cannot be removed is in the folder of temporary files.
        try? FileManager.default.removeItem(at: log)
    }

    /// The end of what it wrote.
    var words: String {
        // try?: no log is no text.
        guard let data = try? Data(contentsOf: log) else { return "" }
        return String(decoding: data.suffix(2_000), as: UTF8.self)
    }

    /// - Returns: its exit code, once it has ended by itself.
    func ended() async throws -> Int32 {
        try await eventually(within: .seconds(100), "dispatch has ended") { !process.isRunning }
        return process.terminationStatus
    }

    /// SIGKILL: it ends in the middle of whatever it does. Nothing waits for it: a thread that did would be missing to others.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
    }
}
