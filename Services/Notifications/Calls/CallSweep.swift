import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Ends calls that ring too long, of which nothing is heard any more, and whose parties may not talk any more, and
/// deletes old ones. Any number of processes may run it, so a call outlives the process that it was made by, and ends.
struct CallSweep: Service {
    static let interval: Duration = .seconds(1)
    static let batch = 200
    /// So long the end of a call can be asked for.
    static let keepSeconds: Double = 86_400

    let pool: PostgresPool
    let move: MoveCall
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "calls not looked after") {
            try await sweep(at: clock())
        }
    }

    func sweep(at now: Date) async throws {
        for id in try await pool.query(FindDoubtfulCalls(now: now, limit: Self.batch)) {
            try await pool.withTransaction { transaction in
                // Whatever is to be done with it is done when it is locked.
                _ = try await move.locked(id, for: nil, at: now, transaction)
            }
        }
        try await pool.executeInBatches(
            of: Self.batch, PurgeCalls(before: now.addingTimeInterval(-Self.keepSeconds), limit: Self.batch))
    }
}
