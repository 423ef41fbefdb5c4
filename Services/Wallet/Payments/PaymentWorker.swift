import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Continues charges: takes due ones, asks the payment provider without an open transaction, and records the answer.
/// Any number of processes may run it.
///
/// When a worker dies, others take its charges after the lease, and repeat a possible request under the same
/// idempotency key.
struct PaymentWorker: Service {
    /// Raised when a charge becomes due.
    static let signalName = "wallet.charges"
    /// Waits for a database session per answer; together they must be shorter than the lease.
    private static let waitsForSession = 3

    struct Settings: Sendable {
        /// The maximum number of concurrent requests.
        var concurrency = 16
        /// Unanswered tries after which the customer may pay otherwise.
        var triesBeforeGivingUp = 6
        /// Must exceed the time for the payment provider's answer plus that for recording it.
        var lease: Duration = .seconds(30)
        /// The longest time until this worker notices charges that became due in other processes.
        var poll: Duration = .seconds(1)
    }

    let pool: PostgresPool
    let provider: PaymentProvider
    let settings: Settings
    let clock: @Sendable () -> Date
    let logger: Logger
    private let state = WorkerState()

    init(
        pool: PostgresPool, provider: PaymentProvider, settings: Settings, clock: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.pool = pool
        self.provider = provider
        self.settings = settings
        self.clock = clock
        self.logger = logger
    }

    /// Runs until cancelled. On graceful shutdown it takes no new charges and finishes the begun ones.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskExecutorPreference(pool.thread) { await runOnThread() }
        } onGracefulShutdown: {
            state.stop()
            pool.signal(Self.signalName).raise()
        }
    }

    @concurrent
    private func runOnThread() async {
        let signal = pool.signal(Self.signalName)
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, !state.isStopping {
                let room = settings.concurrency - state.running
                let claimed = room > 0 ? await claim(room) : []
                for charge in claimed {
                    state.begin()
                    group.addTask {
                        let isPutOff = await carryOn(charge)
                        // A recorded answer raises the signal itself when the charge has a next request.
                        if state.end() == settings.concurrency || isPutOff { signal.raise() }
                    }
                }
                guard claimed.count < room || room <= 0 else { continue }
                // Without room, the end of a charge raises the signal.
                let pause = room > 0 ? await pause() : settings.poll
                _ = await signal.wait(until: .now + pause, on: pool.thread)
            }
        }
    }

    private func claim(_ limit: Int) async -> [Charge] {
        do {
            let lease = settings.lease / .seconds(1)
            return try await pool.query(
                ClaimCharges(limit: limit, leaseSeconds: lease, returnURL: provider.settings.returnURL))
        } catch {
            if !Task.isCancelled { log(.warning, "charges were not read", "\(error)") }
            return []
        }
    }

    /// The time until the next charge is due, at most the poll interval.
    private func pause() async -> Duration {
        // try?: if the query fails, the worker looks again after the poll interval.
        let next = (try? await pool.first(NextCharge())) ?? nil
        guard let next else { return settings.poll }
        return min(max(.seconds(next), .milliseconds(20)), settings.poll)
    }

    /// - Returns: whether the charge was postponed, so that the next due time must be read again.
    private func carryOn(_ charge: Charge) async -> Bool {
        let now = clock()
        guard let request = charge.nextRequest(at: now) else {
            await record(charge) { try await RecordCharge.endWait(charge.id, in: $0) }
            return false
        }
        if charge.isAbandoned(at: now) {
            await record(charge) { try await RecordCharge.abandon(charge.id, in: $0) }
            return false
        }
        let answer = await provider.ask(request, charge)
        switch answer {
        case .known(.actionRequired, _) where request == .check:
            WalletMetrics.answered(request, "known")
            _ = await postpone(charge, by: charge.checkPauseSeconds)
            return true
        case .absent:
            WalletMetrics.answered(request, "known")
            var isGivenUp = false
            await record(charge) { isGivenUp = try await RecordCharge.miss(charge, at: now, in: $0) }
            if isGivenUp {
                log(.error, "a charge was never answered, and the payment provider knows nothing of it", "", charge)
            }
            return true
        case .refused(let why):
            WalletMetrics.answered(request, "refused")
            let now = clock()
            await record(charge) {
                try await RecordCharge.refuseRefund(of: charge, at: now, in: $0)
            }
            log(.error, "the payment provider gives nothing back: the money is in the wallet", why, charge, request)
            return false
        case .known(let outcome, let reference):
            WalletMetrics.answered(request, "known")
            await record(charge) {
                try await RecordCharge.record(outcome, reference: reference, of: charge, at: clock(), in: $0)
            }
            return false
        case .unknown(let why), .fault(let why):
            WalletMetrics.answered(request, "unknown")
            let order = await postpone(charge, by: charge.pauseSeconds, isFault: answer.isFault)
            log(
                isLate(charge) ? .error : .warning, "the payment provider's answer is not known", why, charge, request,
                order)
            return true
        case .unexpected(let what):
            WalletMetrics.answered(request, "unexpected")
            let order = await postpone(charge, by: charge.longPauseSeconds)
            log(.error, "the payment provider gave an unexpected answer", what, charge, request, order)
            return true
        }
    }

    private func isLate(_ charge: Charge) -> Bool { charge.tries >= settings.triesBeforeGivingUp }

    /// - Returns: the order of the charge's payment.
    private func postpone(_ charge: Charge, by seconds: Double, isFault: Bool = false) async -> UUID? {
        var order: UUID?
        await record(charge) { transaction in
            order = try await RecordCharge.postpone(
                charge, pauseSeconds: seconds, isFault: isFault, givesUp: isLate(charge) && charge.mayBeGivenUp,
                at: clock(), in: transaction)
        }
        return order
    }

    /// Waits several times for a database session, since an answer must not be lost. A charge whose answer is not
    /// recorded is asked about again after the lease.
    private func record(_ charge: Charge, _ body: (PostgresTransaction) async throws -> Void) async {
        var waits = 1
        while true {
            do {
                return try await pool.withTransaction { transaction in try await body(transaction) }
            } catch let error as PostgresError where error.code == .poolTimeout && waits < Self.waitsForSession {
                waits += 1
            } catch {
                return log(.error, "a charge's answer was not recorded", "\(error)", charge)
            }
        }
    }

    private func log(
        _ level: Logger.Level, _ text: Logger.Message, _ why: String, _ charge: Charge? = nil,
        _ request: Charge.Request? = nil, _ order: UUID? = nil
    ) {
        logger.log(
            level: level, text,
            metadata: [
                "charge.id": "\(charge?.id.text ?? "")", "charge.request": "\(request?.rawValue ?? "")",
                LogKeys.orderID: "\(order?.text ?? "")", LogKeys.attempt: "\(charge?.tries ?? 0)",
                LogKeys.error: "\(why)",
            ])
    }
}

/// The number of charges being asked about, and whether the worker is stopping.
private final class WorkerState: Sendable {
    private let count = Mutex(0)
    private let stopping = Atomic(false)

    var running: Int { count.withLock { $0 } }
    var isStopping: Bool { stopping.load(ordering: .acquiring) }
    func begin() { count.withLock { $0 += 1 } }
    /// - Returns: the number of running charges including the one that ends.
    func end() -> Int {
        count.withLock { count in
            count -= 1
            return count + 1
        }
    }
    func stop() { stopping.store(true, ordering: .releasing) }
}
