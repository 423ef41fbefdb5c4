import Foundation
import LocalPlatform

/// A TLS server that speaks one version only: `openssl s_server`, which answers HTTP with a page about the connection. Its
/// certificate is its own authority and names `localhost` and `127.0.0.1`.
public struct OpenSSLServer: Sendable {
    public enum Version: String, Sendable {
        case tls12 = "-tls1_2"
        case tls13 = "-tls1_3"
    }

    public let port: Int
    /// PEM.
    public let authorityPath: String
    private let logFile: URL

    /// What it has said until now.
    public func log() throws -> String { try String(contentsOf: logFile, encoding: .utf8) }

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
        let output = ChildProcess.Output.appended(to: log.path())
        let certificate = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", path("key.pem"), "-out", path("certificate.pem"),
        ]
        try await Command(certificate).run(within: .seconds(60))
        let server = try ChildProcess(
            Command([
                "openssl", "s_server", "-accept", "0", version.rawValue, "-www", "-cert", path("certificate.pem"),
                "-key", path("key.pem"),
            ]), output: output)
        defer { server.kill() }
        let port = try await eventually("openssl s_server listens") {
            try String(contentsOf: log, encoding: .utf8).firstMatch(of: /ACCEPT .*:(\d+)/).flatMap { Int($0.1) } ?? 0
        } satisfies: {
            $0 > 0
        }
        return try await body(OpenSSLServer(port: port, authorityPath: path("certificate.pem"), logFile: log))
    }
}
