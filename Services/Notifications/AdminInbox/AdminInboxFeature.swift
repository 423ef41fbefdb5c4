import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

extension Feature {
    /// What waits for the admins of each market. Its facts come with the events that ``NotificationHandlers`` hears.
    static func adminInbox(_ parts: NotificationsParts) -> Feature {
        let (base, bootstrap) = (parts.base, parts.base.bootstrap)
        let routes = AdminInboxRoutes(
            pool: base.pool, hub: parts.hub, catalogue: bootstrap.catalogue, cursors: base.cursors, clock: parts.clock)
        let purge = AdminItemPurge(pool: base.pool, clock: parts.clock, logger: bootstrap.logger)
        return Feature(
            "admin inbox", routes: { routes.add(to: $0.signedIn) },
            working: [ServiceComponent("admin inbox purge", stage: .background, purge)])
    }
}

/// Deletes what ended a quarter of a year ago: the audit log keeps what admins did. Any number of processes may run it.
struct AdminItemPurge: Service {
    static let batch = 1_000
    static let interval: Duration = .seconds(300)
    static let keepSeconds = 90.0 * 86_400

    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "admins' inbox not purged") {
            try await purge(at: clock())
        }
    }

    func purge(at now: Date) async throws {
        let old = PurgeAdminItems(before: now.addingTimeInterval(-Self.keepSeconds), limit: Self.batch)
        try await pool.executeInBatches(of: Self.batch, old)
    }
}
