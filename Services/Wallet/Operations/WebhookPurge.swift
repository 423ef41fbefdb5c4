import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Forgets webhooks that the payment provider does not send any more, and attempts with cards that do not count any more.
/// Any number of processes may run it.
struct WebhookPurge: Service {
    static let interval: Duration = .seconds(600)

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await pool.execute(PurgeWebhooks()) >= 1_000 {}
                    while try await pool.execute(PurgeCardAttempts()) >= 1_000 {}
                } catch {
                    logger.warning("webhooks were not purged", metadata: ["error": "\(error)"])
                }
                do { try await pool.thread.sleep(until: .now + Self.interval) } catch { return }
            }
        }
    }
}
