import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Removes events that nobody resumes any more. Any number of processes may run it.
struct StreamPurge: Service {
    static let batch = 10_000
    static let interval: Duration = .seconds(60)
    /// Longer than an order lives: its newest version is forgotten after it.
    static let keepHeadsSeconds = 30.0 * 86_400

    let pool: PostgresPool
    let keepSeconds: Double
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await purge()
                } catch {
                    logger.warning("streams not purged", metadata: ["error": "\(error)"])
                }
                do { try await pool.thread.sleep(until: .now + Self.interval) } catch { return }
            }
        }
    }

    func purge() async throws {
        let events = PurgeStreamEvents(keepSeconds: keepSeconds, limit: Self.batch)
        while try await pool.execute(events) >= Self.batch {}
        let heads = PurgeHeads(keepSeconds: Self.keepHeadsSeconds, limit: Self.batch)
        while try await pool.execute(heads) >= Self.batch {}
    }
}
