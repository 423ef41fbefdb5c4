import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Carries charges on: takes those that are due, asks the payment provider with no transaction open, and records what
/// it says. Any number of processes may run it.
///
/// A worker that dies leaves its charges to the others when their lease is over. What it may have asked is asked again
/// under the same key.
struct PaymentWorker: Service {
    /// Raised where a charge becomes due.
    static let signalName = "wallet.charges"
    /// For one answer; together shorter than the lease.
    private static let waitsForSession = 3

    struct Settings: Sendable {
        /// Charges asked about at the same time.
        var concurrency = 16
        /// After so many tries without an answer the customer may try something else.
        var triesBeforeGivingUp = 6
        /// Longer than the payment provider may take to answer, and the database to record it.
        var lease: Duration = .seconds(30)
        /// How long other processes' charges may wait for this one to look.
        var poll: Duration = .seconds(1)
    }

    let pool: PostgresPool
    let provider: PaymentProvider
    let settings: Settings
    let logger: Logger
    private let state = WorkerState()

    init(pool: PostgresPool, provider: PaymentProvider, settings: Settings, logger: Logger) {
        self.pool = pool
        self.provider = provider
        self.settings = settings
        self.logger = logger
    }

    /// Runs until cancelled; on graceful shutdown takes nothing new and finishes what it has begun.
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
                        // What has to be asked next raises the signal itself.
                        if state.end() == settings.concurrency || isPutOff { signal.raise() }
                    }
                }
                guard claimed.count < room || room <= 0 else { continue }
                // With no room, the end of a charge raises the signal.
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

    /// Until the next charge is due, at most the poll interval.
    private func pause() async -> Duration {
        // try?: what cannot be asked now is asked after the interval.
        let next = (try? await pool.first(NextCharge())) ?? nil
        guard let next else { return settings.poll }
        return min(max(.seconds(next), .milliseconds(20)), settings.poll)
    }

    /// - Returns: whether it was put off, and when it is due again has to be looked up.
    private func carryOn(_ charge: Charge) async -> Bool {
        let now = Date()
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
            let now = Date()
            await record(charge) {
                try await RecordCharge.record(.refundFailed, reference: nil, of: charge, at: now, in: $0)
            }
            log(.error, "the payment provider gives nothing back: the money is in the wallet", why, charge, request)
            return false
        case .known(let outcome, let reference):
            WalletMetrics.answered(request, "known")
            await record(charge) {
                try await RecordCharge.record(outcome, reference: reference, of: charge, at: Date(), in: $0)
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

    /// - Returns: the order that is paid.
    private func postpone(_ charge: Charge, by seconds: Double, isFault: Bool = false) async -> UUID? {
        var order: UUID?
        await record(charge) { transaction in
            order = try await RecordCharge.postpone(
                charge, pauseSeconds: seconds, isFault: isFault, givesUp: isLate(charge) && charge.mayBeGivenUp,
                at: Date(), in: transaction)
        }
        return order
    }

    /// An answer is worth more patience than one wait for a session. What cannot be recorded is asked again after the lease.
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

/// How many charges are being asked about, and whether the worker shall stop.
private final class WorkerState: Sendable {
    private let count = Mutex(0)
    private let stopping = Atomic(false)

    var running: Int { count.withLock { $0 } }
    var isStopping: Bool { stopping.load(ordering: .acquiring) }
    func begin() { count.withLock { $0 += 1 } }
    /// - Returns: how many there were with the one that ends.
    func end() -> Int {
        count.withLock { count in
            count -= 1
            return count + 1
        }
    }
    func stop() { stopping.store(true, ordering: .releasing) }
}
