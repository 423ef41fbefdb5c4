import Foundation
import Postgres

/// Logs out: this device or all (I15). Access tokens that are out live on for their minutes; refreshing ends at once.
struct EndSessions: Sendable {
    let pool: PostgresPool

    func one(_ session: UUID, of account: UUID, at now: Date) async throws {
        try await pool.execute(EndOneSession(session: session, account: account, now: now, cause: "logout"))
    }

    func all(of account: UUID, at now: Date) async throws {
        try await pool.execute(EndAllSessions(account: account, now: now, cause: "logout"))
    }
}
