import Foundation
import Glibc
import LocalPlatform
import Postgres
import TestKit

/// The identity service as it is deployed: a process of its own, with a database and a virtual host of its own.
struct IdentityProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    let process: pid_t
    private let database: TestDatabase

    /// Beside what has to be set: room for a crowd behind one address.
    private static let settings = [
        "SERAI_IDENTITY_PASSWORD_QUEUE": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "100000",
        "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "100000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "100000",
        "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "1000000",
        "SERAI_HTTP_RATE_CALLER_BURST": "1000000", "SERAI_HTTP_REQUEST_SECONDS": "120", "SERAI_LOG_LEVEL": "error",
    ]

    static func withService(_ body: (IdentityProcess) async throws -> Void) async throws {
        let keys = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        defer {
            // What cannot be removed is in the folder of temporary files.
            try? FileManager.default.removeItem(at: keys)
        }
        try await TestDatabase.withDatabase { database in
            try await TestBroker.withVirtualHost { host in
                let port = try FreePorts.take()
                func path(_ file: String) -> String { keys.appending(path: file).path(percentEncoded: false) }
                let environment = settings.merging([
                    "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": host.url, "SERAI_HTTP_PORT": String(port),
                    "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                    "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
                    "SERAI_IDENTITY_PASSWORD_MARKETS": "assef",
                    "SERAI_IDENTITY_SIGNING_KEY_FILE": path("token-signing.json"),
                    "SERAI_IDENTITY_PERSONAL_KEY_FILE": path("personal-data.json"),
                    "SERAI_TOKENS_KEYS_FILE": path("jwks.json"),
                ]) { $1 }
                let directory = keys.path(percentEncoded: false)
                for arguments in [["create-keys", "--directory", directory], ["migrate"]] {
                    try await Program.run("identity", arguments, environment: environment)
                }
                // As identity's role has it in a deployment.
                try await database.set(["enable_seqscan": "off", "jit": "off"])
                let child = try Program.start("identity", ["serve"], environment: environment, folder: nil)
                defer { child.kill() }
                try await body(IdentityProcess(url: "http://127.0.0.1:\(port)", process: child.id, database: database))
                child.terminate()
                try await child.ended()
            }
        }
    }

    /// As if everybody had shown the code of the SMS: no sandbox runs here that could be read.
    func confirmEverybody() async throws {
        try await database.withPool { pool in _ = try await pool.execute(ConfirmEverybody()) }
    }

    private struct ConfirmEverybody: Statement {
        static let sql: SQL = """
            UPDATE identity.accounts SET confirmed_at = now(), mobile_proved_at = now() WHERE confirmed_at IS NULL
            """
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
