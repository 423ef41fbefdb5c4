import Foundation
import LocalPlatform
import TestKit

/// The wallet as it is deployed: a process of its own, with a database and a virtual host of its own.
struct WalletProcess: Sendable {
    static let accounts = 10_000
    /// Transfers in one transaction of the posting core alone.
    static let batch = 200

    let database: TestDatabase
    let host: VirtualHost
    private let environment: [String: String]

    private static func environment(_ database: TestDatabase, _ host: VirtualHost?) -> [String: String] {
        [
            "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": host?.url ?? "amqp://127.0.0.1:1",
            "SERAI_HTTP_PORT": "0", "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 64),
            "SERAI_LOG_LEVEL": "error",
            "SERAI_TOKENS_KEYS": SampleKeySet.json,
            "SERAI_PAYMENT_PROVIDER_URL": "http://127.0.0.1:9", "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_none",
            "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1:9/payments", "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_none",
            "SERAI_DATABASE_POOL_SIZE": "10",
        ]
    }

    /// Gives `body` a running wallet with money in its accounts.
    static func withService(_ body: (WalletProcess) async throws -> Void) async throws {
        try await TestDatabase.withDatabase { database in
            try await TestBroker.withVirtualHost { host in
                let environment = environment(database, host)
                try await run(["migrate"], environment)
                try await run(["measure", "--accounts", "\(accounts)", "--seconds", "0"], environment)
                // As the wallet's role has it in a deployment.
                try await database.set(["enable_seqscan": "off", "jit": "off"])
                let service = try Program.start("wallet", ["serve"], environment: environment, folder: nil)
                defer { service.kill() }
                try await body(WalletProcess(database: database, host: host, environment: environment))
                service.terminate()
                try await service.ended()
            }
        }
    }

    /// The posting core alone, in a database of its own.
    static func ledger(for seconds: Int) async throws -> Measured {
        try await TestDatabase.withDatabase { database in
            try await measure(seconds, environment(database, nil))
        }
    }

    /// Gives `body` a database with the ledger's tables and money in its accounts.
    static func withLedger<Value>(_ body: (TestDatabase) async throws -> Value) async throws -> Value {
        try await TestDatabase.withDatabase { database in
            _ = try await measure(0, environment(database, nil))
            return try await body(database)
        }
    }

    private static func measure(_ seconds: Int, _ environment: [String: String]) async throws -> Measured {
        try await run(["migrate"], environment)
        let text = try await run(
            ["measure", "--accounts", "\(accounts)", "--batch", "\(batch)", "--seconds", "\(seconds)"], environment)
        return try JSONDecoder().decode(Measured.self, from: Data(text.utf8))
    }

    struct Measured: Decodable {
        let transfers: Int
        let seconds: Double
        /// Of the process, while it posted.
        let cpuSeconds: Double

        var perSecond: Double { Double(transfers) / seconds }
    }

    /// Fails unless the ledger is sound.
    func verify() async throws { try await Self.run(["verify"], environment) }

    @discardableResult
    private static func run(_ arguments: [String], _ environment: [String: String]) async throws -> String {
        try await Command([try Project.current.program("wallet")] + arguments).with(environment)
            .run(within: .seconds(3_600))
    }
}
