import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Removes ended and expired sessions, tokens that were replaced long ago and forgotten failures every ten minutes. Any
/// number of processes may run it.
struct PurgeExpired: Service {
    static let batch = 1_000
    /// Few, because each goes with all of its tokens.
    static let sessionBatch = 50
    /// A session that ended or expired stays for a day, for whoever looks into what happened.
    static let keptSeconds: Double = 86_400
    /// For so long the use of a replaced token tells of a theft. A phone that comes back later finds its session ended.
    static let tokenSeconds = SessionRule.idleSeconds

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
        let few = Self.sessionBatch
        while try await pool.execute(PurgeSessions(before: before, limit: few)) == few {}
        while try await pool.execute(PurgeEndedSessions(before: before, limit: few)) == few {}
        let replaced = clock().addingTimeInterval(-Self.tokenSeconds)
        while try await pool.execute(PurgeRefreshTokens(before: replaced, limit: Self.batch)) == Self.batch {}
        while try await pool.execute(PurgeProofs(before: before, limit: Self.batch)) == Self.batch {}
        while try await pool.execute(PurgeNafathAttempts(before: before, limit: Self.batch)) == Self.batch {}
        while try await pool.execute(PurgeNafathTickets(before: before, limit: Self.batch)) == Self.batch {}
        let lapsed = clock().addingTimeInterval(-ProofRule.registrationSeconds)
        while try await pool.execute(PurgeUnconfirmed(before: lapsed, limit: few)) == few {}
        while try await pool.execute(PurgeLoginFailures(before: before, limit: Self.batch)) == Self.batch {}
    }
}
