import SeraiJSON
import TestKit

/// Processes of the wallet.
enum WalletProcess {
    static func start(database: String, broker: String) throws -> Program {
        try Program.start("wallet", ["serve"], environment: environment(database, broker), folder: nil)
    }

    /// Runs a command to its end.
    static func run(_ command: String, _ options: [String] = [], database: String, broker: String) async throws {
        try await Program.run("wallet", [command] + options, environment: environment(database, broker))
    }

    private static func environment(_ database: String, _ broker: String) -> [String: String] {
        [
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker, "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 64), "SERAI_LOG_LEVEL": "error",
            "SERAI_TOKENS_KEYS": SampleKeySet.json,
            "SERAI_PAYMENT_PROVIDER_URL": "http://127.0.0.1:9", "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_none",
            "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1:9/payments", "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_none",
            "SERAI_DATABASE_POOL_SIZE": "6",
        ]
    }
}
