import Foundation
import Glibc
import TestKit

/// A process of the wallet, which stands beside the test bundle.
final class WalletProcess {
    struct NotBuilt: Error { let tried: [String] }
    struct Failed: Error { let exitCode: Int32 }

    private let process: Process

    init(_ command: String = "serve", _ options: [String] = [], database: String, broker: String) throws {
        let process = Process()
        process.executableURL = try Self.executable()
        process.arguments = [command] + options
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 64), "SERAI_LOG_LEVEL": "error",
            "SERAI_TOKENS_KEYS": SampleKeySet.json,
            "SERAI_PAYMENT_PROVIDER_URL": "http://127.0.0.1:9", "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_none",
            "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1:9/payments", "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_none",
            "SERAI_DATABASE_POOL_SIZE": "6",
            "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runWithSignalsUnblocked()
        self.process = process
    }

    /// Runs a command to its end.
    static func run(_ command: String, _ options: [String] = [], database: String, broker: String) async throws {
        let process = try WalletProcess(command, options, database: database, broker: broker)
        defer { process.kill() }
        try await process.ended(within: .seconds(100))
        guard process.exitCode == 0 else { throw Failed(exitCode: process.exitCode) }
    }

    var isRunning: Bool { process.isRunning }
    var exitCode: Int32 { process.terminationStatus }

    /// Does nothing to a process that has ended.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
    }

    func terminate() { _ = Glibc.kill(process.processIdentifier, SIGTERM) }

    func ended(within limit: Duration = .seconds(20)) async throws {
        try await eventually(within: limit, "the process has ended") { !process.isRunning }
    }

    private static func executable() throws -> URL {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [
            bundle.deletingLastPathComponent(),
            TestServers.projectDirectory.appending(path: ".build/debug"),
        ].map { $0.appending(path: "wallet") }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path()) }) else {
            throw NotBuilt(tried: candidates.map { $0.path() })
        }
        return found
    }
}
