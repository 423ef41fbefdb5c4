import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceLifecycle

/// Pays accepted cash-outs: takes due ones, looks whether they may still be paid, asks the payment provider without an
/// open transaction, and records the answer. Any number of processes may run it. When one dies, others repeat its
/// requests under the same idempotency key.
struct PayoutWorker: Service {
    /// Raised when a cash-out becomes due.
    static let signalName = "wallet.payouts"
    /// The maximum number of concurrent requests.
    static let batch = 8
    static let poll: Duration = .seconds(1)

    let pool: PostgresPool
    let provider: PaymentProvider
    /// Must exceed the time for the payment provider's answer plus that for recording it.
    let lease: Duration
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        let signal = pool.signal(Self.signalName)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await payDue() == Self.batch {}
                    let next = try await pool.first(NextCashOut()) ?? nil
                    let pause = next.map { min(max(Duration.seconds($0), .milliseconds(20)), Self.poll) } ?? Self.poll
                    _ = await signal.wait(until: .now + pause, on: pool.thread)
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.warning("cash-outs were not read", metadata: ["error": "\(error)"])
                    do { try await pool.thread.sleep(until: .now + Self.poll) } catch { return }
                }
            }
        }
    }

    /// - Returns: the number of claimed cash-outs.
    func payDue() async throws -> Int {
        let due = try await pool.query(ClaimCashOuts(limit: Self.batch, leaseSeconds: lease / .seconds(1)))
        await withTaskGroup(of: Void.self) { group in
            for cashOut in due { group.addTask { await carryOn(cashOut) } }
        }
        return due.count
    }

    private func carryOn(_ claimed: CashOut) async {
        var cashOut = claimed
        do {
            let admitted = try await pool.withTransaction { transaction in
                try await StopCashOut.admit(claimed.id, at: clock(), in: transaction)
            }
            guard let admitted else { return }
            cashOut = admitted
            switch await provider.ask(cashOut.nextRequest(at: clock()), cashOut) {
            case .known(let outcome):
                try await pool.withTransaction { transaction in
                    try await SettleCashOut.record(outcome, of: cashOut.id, at: clock(), in: transaction)
                }
            case .nothing(let why):
                // The platform's balance at the payment provider must be filled; until then the pauses grow.
                log(.error, "the payment provider could not pay out", why, cashOut)
                try await pool.withTransaction { try await SettleCashOut.takeNewKey(after: cashOut, in: $0) }
            case .absent:
                log(.error, "a payout was never answered, and the payment provider knows nothing of it", "", cashOut)
                try await pool.withTransaction { try await SettleCashOut.miss(cashOut, at: clock(), in: $0) }
            case .fault(let why):
                log(.error, "the payment provider has a fault with a payout", why, cashOut)
                try await pool.withTransaction { try await SettleCashOut.fault(cashOut, at: clock(), in: $0) }
            case .unknown(let why):
                log(.warning, "the payment provider's answer about a payout is not known", why, cashOut)
                try await pool.execute(PostponeCashOut(cashOut: cashOut.id, pauseSeconds: cashOut.pauseSeconds))
            case .unexpected(let what):
                log(.error, "the payment provider gave an unexpected answer about a payout", what, cashOut)
                try await pool.execute(PostponeCashOut(cashOut: cashOut.id, pauseSeconds: cashOut.longPauseSeconds))
            }
        } catch {
            // The cash-out is asked about again after the lease.
            log(.error, "what became of a payout was not recorded", "\(error)", cashOut)
        }
    }

    private func log(_ level: Logger.Level, _ text: Logger.Message, _ why: String, _ cashOut: CashOut) {
        logger.log(
            level: level, text,
            metadata: ["cashout.id": "\(cashOut.id.text)", "attempt": "\(cashOut.tries)", "error": "\(why)"])
    }
}
