import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Warns the owner of an unused account once, and lists the account for the admins a month later (I12). Any number of
/// processes may run it.
struct WatchInactive: Service {
    static let batch = 100

    let pool: PostgresPool
    let deliver: RequestDelivery
    let logger: Logger
    let clock: @Sendable () -> Date
    let interval: Duration

    func run() async throws {
        await repeatedly(every: interval, logger: logger, orLog: "inactive accounts not listed") { try await look() }
    }

    func look() async throws {
        let now = clock()
        let lastUse = InactivityRule.lastUse(warnedAt: now)
        while true {
            let found = try await pool.query(FindInactive(lastUse: lastUse, limit: Self.batch))
            for account in found { try await warn(account, at: now) }
            if found.count < Self.batch { return }
        }
    }

    private func warn(_ id: UUID, at now: Date) async throws {
        let end = now.addingTimeInterval(InactivityRule.warningSeconds)
        try await pool.withTransaction { transaction in
            // Checked again under the lock: the owner may have come back in the meantime.
            guard let account = try await Accounts.lockIfFound(id, in: transaction),
                try await transaction.first(
                    IsInactive(account: id, lastUse: InactivityRule.lastUse(warnedAt: now))) != nil
            else { return }
            let listed = try await transaction.first(
                InsertRemoval(account: id, cause: .inactive, now: now, dueAt: end))
            guard listed != nil else { return }
            try await deliver(.inactiveAccount(from: end), to: account, until: end, at: now, in: transaction)
        }
    }
}
