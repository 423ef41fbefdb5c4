import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Removes the names of deleted accounts from others' items (I12). Any number of processes may run it.
struct NameRemoval: Service {
    static let interval: Duration = .seconds(60)

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "names not forgotten") {
            try await removeAll()
        }
    }

    /// Handles all queued names, except those that another process is working on.
    func removeAll() async throws {
        while try await removeSome() {}
    }

    /// Removes a batch of one name in its own transaction, because a name may be in very many items.
    /// - Returns: whether there may be more.
    private func removeSome() async throws -> Bool {
        try await pool.withTransaction { transaction in
            guard let account = try await transaction.first(LockNameToForget()) else { return false }
            // A name occurs in few of all items, which a cached plan would not expect.
            transaction.planAnew()
            if try await transaction.execute(ForgetName(account: account)) < ForgetName.limit {
                transaction.send(RemoveNameToForget(account: account))
            }
            return true
        }
    }
}
