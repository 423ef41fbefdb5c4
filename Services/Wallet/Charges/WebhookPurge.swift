import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Deletes webhook events older than seven days, which the payment provider no longer repeats, and card attempts that
/// no longer count. Any number of processes may run it.
struct WebhookPurge: Service {
    static let interval: Duration = .seconds(600)

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "webhooks were not purged") {
            try await pool.executeInBatches(of: 1_000, PurgeWebhooks())
            try await pool.executeInBatches(of: 1_000, PurgeCardAttempts())
        }
    }
}
