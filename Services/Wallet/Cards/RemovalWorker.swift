import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Removes from the payment provider: removed cards, cards whose storing failed here, and customers of deleted
/// accounts. Each is asked for until it is known to be gone. Any number of processes may run it.
struct RemovalWorker: Service {
    struct Settings: Sendable {
        /// The maximum number of concurrent requests.
        var concurrency = 4
        /// Must exceed the time for the payment provider's answer plus that for recording it.
        var lease: Duration = .seconds(30)
        var poll: Duration = .seconds(1)
        /// Failures from this number of tries on are logged as errors.
        var triesBeforeError = 10
    }

    /// Seconds until a card that is being added is removed again, unless it was stored.
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

    /// - Returns: the number of claimed removals.
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
            // The removal is due again after the lease; removing something that is already gone succeeds.
            logger.warning("a removal was not recorded", metadata: ["error": "\(error)"])
        }
    }
}
