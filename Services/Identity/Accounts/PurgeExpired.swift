import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Deletes expired and unneeded rows (sessions, tokens, links, shared places, failures) every ten minutes. Any number
/// of processes may run it.
struct PurgeExpired: Service {
    static let batch = 1_000
    /// Small, because each session is deleted with all its tokens.
    static let sessionBatch = 50
    /// A session that ended or expired is kept for a day, for investigations.
    static let keptSeconds: Double = 86_400
    /// A replaced token is kept for this time, to detect its theft when it is used again. A later use finds no session.
    static let tokenSeconds = SessionRule.idleSeconds

    let pool: PostgresPool
    let logger: Logger
    let clock: @Sendable () -> Date
    let interval: Duration

    func run() async throws {
        await repeatedly(every: interval, logger: logger, orLog: "purge failed") { try await purge() }
    }

    func purge() async throws {
        let now = clock()
        let before = now.addingTimeInterval(-Self.keptSeconds)
        let few = Self.sessionBatch
        try await pool.executeInBatches(of: few, PurgeSessions(before: before, limit: few))
        let replaced = now.addingTimeInterval(-Self.tokenSeconds)
        try await pool.executeInBatches(of: Self.batch, PurgeRefreshTokens(before: replaced, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeProofs(before: before, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeContactChanges(before: before, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeNafathAttempts(before: before, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeNafathTickets(before: before, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeLoginChallenges(before: before, limit: Self.batch))
        let forgotten = now.addingTimeInterval(-Device.keptSeconds)
        try await pool.executeInBatches(of: Self.batch, PurgeDevices(before: forgotten, limit: Self.batch))
        let lapsed = now.addingTimeInterval(-ProofRule.registrationSeconds)
        try await pool.executeInBatches(of: few, PurgeUnconfirmed(before: lapsed, limit: few))
        try await pool.executeInBatches(of: Self.batch, PurgeSharedPlaces(before: now, limit: Self.batch))
        try await pool.executeInBatches(
            of: Self.batch,
            PurgeGroupRefusals(before: now.addingTimeInterval(-AskingRule.keptSeconds), limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeLinkAsks(before: before, limit: Self.batch))
        let decided = now.addingTimeInterval(-Deletion.keptSeconds)
        try await pool.executeInBatches(of: Self.batch, PurgeDeletions(before: decided, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeLoginFailures(before: before, limit: Self.batch))
        let counted = now.addingTimeInterval(-SMSBudget.seconds)
        try await pool.executeInBatches(of: Self.batch, PurgeSentSMS(before: counted, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeKeptBans(before: now, limit: Self.batch))
        try await pool.executeInBatches(of: Self.batch, PurgeRoleOffers(before: now, limit: Self.batch))
    }
}
