import Foundation
import Glibc
import TestKit

/// The identity service as it is deployed: a process of its own, with a database and a virtual host of its own.
struct IdentityProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    let process: pid_t

    /// Beside what has to be set: room for a crowd behind one address.
    private static let settings = [
        "SERAI_IDENTITY_PASSWORD_QUEUE": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "100000",
        "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "100000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "100000",
        "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "1000000",
        "SERAI_HTTP_RATE_CALLER_BURST": "1000000", "SERAI_HTTP_REQUEST_SECONDS": "120", "SERAI_LOG_LEVEL": "error",
    ]

    static func withService(_ body: (IdentityProcess) async throws -> Void) async throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "identity")
        let keys = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        defer {
            // What cannot be removed is in the folder of temporary files.
            try? FileManager.default.removeItem(at: keys)
        }
        try await TestDatabase.withDatabase { database in
            try await TestBroker.withVirtualHost { host in
                let port = try freePort()
                func path(_ file: String) -> String { keys.appending(path: file).path(percentEncoded: false) }
                let environment = settings.merging([
                    "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": host.url, "SERAI_HTTP_PORT": String(port),
                    "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                    "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
                    "SERAI_IDENTITY_SIGNING_KEY_FILE": path("token-signing.json"),
                    "SERAI_IDENTITY_PERSONAL_KEY_FILE": path("personal-data.json"),
                    "SERAI_TOKENS_KEYS_FILE": path("jwks.json"), "SWIFT_BACKTRACE": "enable=no",
                ]) { $1 }
                let directory = keys.path(percentEncoded: false)
                for arguments in [["create-keys", "--directory", directory], ["migrate"]] {
                    let child = try start(program, arguments, environment)
                    child.waitUntilExit()
                    guard child.terminationStatus == 0 else { throw Failure(description: "identity \(arguments[0])") }
                }
                let child = try start(program, ["serve"], environment)
                defer {
                    child.terminate()
                    child.waitUntilExit()
                }
                try await body(IdentityProcess(url: "http://127.0.0.1:\(port)", process: child.processIdentifier))
            }
        }
    }

    /// Resident memory in MiB.
    var residentMiB: Double {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return Double(line?.split(separator: " ").dropFirst().first ?? "").map { $0 / 1_024 } ?? 0
        }
    }

    private static func start(
        _ program: URL, _ arguments: [String], _ environment: [String: String]
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.runWithSignalsUnblocked()
        return process
    }

    /// One that was free a moment ago.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
