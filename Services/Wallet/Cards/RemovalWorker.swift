import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Takes from the payment provider what shall not be there any more: cards that were removed, cards that were never
/// stored here after all, and everybody who is gone. Each is asked for until it is known to be gone. Any number of
/// processes may run it.
struct RemovalWorker: Service {
    struct Settings: Sendable {
        /// Asked about at the same time.
        var concurrency = 4
        /// Longer than the payment provider may take to answer, and the database to record it.
        var lease: Duration = .seconds(30)
        var poll: Duration = .seconds(1)
        /// From so many tries on each is an error in the log.
        var triesBeforeError = 10
    }

    /// How long a card that is being added may take before it is taken away again.
    static let graceSeconds = 900.0

    let pool: PostgresPool
    let provider: PaymentProvider
    var settings = Settings()
    let logger: Logger

    func run() async throws {
        await repeatedly(every: settings.poll, logger: logger, orLog: "removals were not read") {
            while try await removeSome() == settings.concurrency {}
        }
    }

    /// - Returns: how many were due.
    func removeSome() async throws -> Int {
        let lease = settings.lease / .seconds(1)
        let removals = try await pool.query(ClaimRemovals(limit: settings.concurrency, leaseSeconds: lease))
        await withDiscardingTaskGroup { group in
            for removal in removals { group.addTask { await remove(removal) } }
        }
        return removals.count
    }

    private func remove(_ removal: Removal) async {
        let failure = await provider.remove(removal)
        do {
            guard let failure else {
                try await pool.execute(DeleteRemoval(reference: removal.reference))
                return
            }
            try await pool.execute(PostponeRemoval(removal: removal))
            logger.log(
                level: removal.tries >= settings.triesBeforeError ? .error : .warning,
                "the payment provider did not remove something",
                metadata: ["kind": "\(removal.kind)", "attempt": "\(removal.tries)", "error": "\(failure)"])
        } catch {
            // It is due again when the lease is over, and what is gone is a known answer then.
            logger.warning("a removal was not recorded", metadata: ["error": "\(error)"])
        }
    }
}
