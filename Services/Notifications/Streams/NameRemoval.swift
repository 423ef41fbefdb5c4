import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Takes the names of people who are gone out of what others were told (I12). Any number of processes may run it.
struct NameRemoval: Service {
    static let interval: Duration = .seconds(60)

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "names not forgotten") {
            try await removeAll()
        }
    }

    /// All but those that another process takes out at this moment.
    func removeAll() async throws {
        while try await removeSome() {}
    }

    /// Some of one name, in a transaction of its own: it may be in very many items.
    /// - Returns: whether there may be more.
    private func removeSome() async throws -> Bool {
        try await pool.withTransaction { transaction in
            guard let account = try await transaction.first(LockNameToForget()) else { return false }
            // In few of all items, which one plan for all names would not believe.
            transaction.planAnew()
            if try await transaction.execute(ForgetName(account: account)) < ForgetName.limit {
                transaction.send(RemoveNameToForget(account: account))
            }
            return true
        }
    }
}
