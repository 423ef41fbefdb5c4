import Foundation
import JWTKit
import LocalPlatform
import ServiceKit
import TestKit

/// The notifications service as it is deployed: a process of its own, with a database and a virtual host of its own.
struct NotificationsProcess: Sendable {
    private static let issuer = "https://bench.test/identity"

    let url: String
    let host: VirtualHost
    let database: TestDatabase
    private let process: pid_t
    private let tokens: AccessTokenSigner

    /// Beside what has to be set: room for many streams behind one address, and a notice without a pace.
    private static let settings = [
        "SERAI_STREAMS_LIMIT": "12000", "SERAI_STREAMS_PER_ADDRESS": "100000", "SERAI_HTTP_CONNECTION_LIMIT": "14000",
        "SERAI_HTTP_RATE_ADDRESS_BURST": "1000000",
        "SERAI_HTTP_RATE_CALLER_BURST": "1000000", "SERAI_NOTICES_PER_SECOND": "50000", "SERAI_LOG_LEVEL": "error",
    ]

    static func withService(_ body: (NotificationsProcess) async throws -> Void) async throws {
        let tokens = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "bench")
        try await TestDatabase.withDatabase { database in
            try await TestBroker.withVirtualHost { host in
                let port = try FreePorts.take()
                let environment = settings.merging([
                    "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": host.url, "SERAI_HTTP_PORT": String(port),
                    "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                    "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
                    "SERAI_TOKENS_KEYS": tokens.keySetJSON, "SERAI_TOKENS_ISSUER": issuer,
                ]) { $1 }
                try await Program.run("notifications", ["migrate"], environment: environment)
                // As the service's role has it in a deployment.
                try await database.set(["enable_seqscan": "off", "jit": "off"])
                let child = try Program.start("notifications", ["serve"], environment: environment, folder: nil)
                defer { child.kill() }
                try await body(
                    NotificationsProcess(
                        url: "http://127.0.0.1:\(port)", host: host, database: database, process: child.id,
                        tokens: tokens))
                child.terminate()
                try await child.ended()
            }
        }
    }

    func token(_ account: UUID) async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await tokens.sign(
            AccessTokenClaims(
                sub: account.uuidString.lowercased(), iss: Self.issuer, aud: "serai", exp: now + 86_400, iat: now - 10,
                roles: [], sid: UUID().uuidString.lowercased()))
    }

    /// Resident memory in MiB.
    var residentMiB: Double {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return Double(line?.split(separator: " ").dropFirst().first ?? "").map { $0 / 1_024 } ?? 0
        }
    }
}
