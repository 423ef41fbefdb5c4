import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Removes expired sessions and forgotten failures every ten minutes. Any number of processes may run it.
struct PurgeExpired: Service {
    static let batch = 1_000
    /// An expired session stays for a day, for whoever looks into what happened.
    static let keptSeconds: Double = 86_400

    let pool: PostgresPool
    let logger: Logger
    let clock: @Sendable () -> Date
    let interval: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await purge()
                } catch {
                    logger.warning("purge failed", metadata: [LogKeys.error: "\(error)"])
                }
                // Cancelled sleep means the end of the loop, which the condition sees.
                try? await Task.sleep(for: interval)
            }
        }
    }

    func purge() async throws {
        let before = clock().addingTimeInterval(-Self.keptSeconds)
        while try await pool.execute(PurgeSessions(before: before, limit: Self.batch)) == Self.batch {}
        while try await pool.execute(PurgeLoginFailures(before: before, limit: Self.batch)) == Self.batch {}
    }
}
