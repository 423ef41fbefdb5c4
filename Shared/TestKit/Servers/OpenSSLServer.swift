import Foundation
import Glibc

/// A TLS server that speaks one version only: `openssl s_server`, which answers HTTP with a page about the connection. Its
/// certificate is its own authority and names `localhost` and `127.0.0.1`.
public struct OpenSSLServer: Sendable {
    public enum Version: String, Sendable {
        case tls12 = "-tls1_2"
        case tls13 = "-tls1_3"
    }

    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    public let port: Int
    /// PEM.
    public let authorityPath: String
    private let logFile: URL

    /// What it has said until now.
    public func log() throws -> String { try String(contentsOf: logFile, encoding: .utf8) }

    /// `Process` is thread-safe for what is asked of it here, which Foundation does not say.
    private actor Child {
        let process = Process()

        func start(_ arguments: [String], output: FileHandle) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.runWithSignalsUnblocked()
        }

        func waitUntilExit() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }

        func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Runs the body with a started server; ends it and deletes its files afterwards, whatever happens.
    public static func withServer<R>(
        _ version: Version, _ body: (OpenSSLServer) async throws -> R
    ) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serai-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // try?: a left-over scratch folder in the system's temporary folder harms no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path() }
        let log = folder.appending(path: "log")
        _ = FileManager.default.createFile(atPath: log.path(), contents: nil)
        let output = try FileHandle(forWritingTo: log)
        let maker = Child()
        try await maker.start(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout", path("key.pem"), "-out", path("certificate.pem"),
            ], output: output)
        guard await maker.waitUntilExit() == 0 else { throw NotStarted(description: "openssl made no certificate") }
        let server = Child()
        try await server.start(
            [
                "s_server", "-accept", "0", version.rawValue, "-www", "-cert", path("certificate.pem"), "-key",
                path("key.pem"),
            ], output: output)
        do {
            let port = try await eventually("openssl s_server listens") {
                try String(contentsOf: log, encoding: .utf8).firstMatch(of: /ACCEPT .*:(\d+)/).flatMap { Int($0.1) }
                    ?? 0
            } satisfies: {
                $0 > 0
            }
            let result = try await body(OpenSSLServer(port: port, authorityPath: path("certificate.pem"), logFile: log))
            await server.kill()
            return result
        } catch {
            await server.kill()
            throw error
        }
    }
}
