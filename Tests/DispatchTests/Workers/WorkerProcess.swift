import SeraiJSON
import TestKit

/// Processes of dispatch that only work: nobody asks them anything.
enum WorkerProcess {
    static func migrate(database: String, broker: String) async throws {
        try await Program.run("dispatch", ["migrate"], environment: environment(database, broker))
    }

    /// It works until it is killed.
    static func start(database: String, broker: String) throws -> Program {
        try Program.start("dispatch", ["serve"], environment: environment(database, broker), folder: nil)
    }

    private static func environment(_ database: String, _ broker: String) -> [String: String] {
        [
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": broker, "SERAI_ROLE": "worker", "SERAI_HTTP_PORT": "0",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_TOKENS_KEYS": SampleKeySet.json,
            "SERAI_LOG_LEVEL": "error", "SERAI_DATABASE_POOL_SIZE": "4", "SERAI_POSITIONS_FRESH_SECONDS": "3600",
        ]
    }
}
