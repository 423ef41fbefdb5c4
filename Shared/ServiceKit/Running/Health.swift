public import Logging
import Locks

/// The answer of `/health/ready`: whether this process should be given work.
public final class Health: Sendable {
    /// The phase of the process.
    public enum Phase: String, Sendable {
        case starting, ready, draining
    }

    struct Outcome: Sendable, Equatable {
        let isHealthy: Bool
        let milliseconds: Double
    }

    struct Report: Sendable {
        let phase: Phase
        let outcomes: [String: Outcome]

        var isReady: Bool { phase == .ready && outcomes.values.allSatisfy(\.isHealthy) }
    }

    private struct State {
        var phase = Phase.starting
        var checks: [HealthCheck] = []
        var running: Task<[String: Outcome], Never>?
        var runningSince = ContinuousClock.now
        var isDone = false
    }

    /// Outcomes are given again for so long.
    static let freshness: Duration = .milliseconds(250)

    private let state = Mutex(State())
    private let logger: Logger

    public init(logger: Logger) {
        self.logger = logger
    }

    public var phase: Phase { state.withLock { $0.phase } }

    public func add(_ check: HealthCheck) {
        state.withLock { state in
            state.checks.append(check)
            state.running = nil
        }
    }

    func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

    /// Runs all checks at once and waits at most for the longest limit. Whoever asks while they run, or in the quarter
    /// of a second after they began, gets their outcome, so that many askers are no load.
    func report() async -> Report {
        let task = state.withLock { state in
            let isFresh = ContinuousClock.now - state.runningSince < Self.freshness
            if let running = state.running, isFresh || !state.isDone { return running }
            let checks = state.checks
            let task = Task { [logger] in
                let outcomes = await Self.run(checks, logger: logger)
                self.state.withLock { $0.isDone = true }
                return outcomes
            }
            state.running = task
            state.runningSince = .now
            state.isDone = false
            return task
        }
        return Report(phase: phase, outcomes: await task.value)
    }

    private static func run(_ checks: [HealthCheck], logger: Logger) async -> [String: Outcome] {
        await withTaskGroup(of: (String, Outcome).self) { group in
            for check in checks {
                group.addTask { (check.name, await run(check, logger: logger)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func run(_ check: HealthCheck, logger: Logger) async -> Outcome {
        let start = ContinuousClock.now
        var isHealthy = true
        do {
            try await withHardLimit(check.limit) { try await check.run() }
        } catch {
            isHealthy = false
            logger.warning(
                "health check failed",
                metadata: [
                    LogKeys.component: "\(check.name)", LogKeys.error: "\(String(describing: error).prefix(500))",
                ])
        }
        let milliseconds = ((ContinuousClock.now - start).milliseconds * 10).rounded() / 10
        return Outcome(isHealthy: isHealthy, milliseconds: milliseconds)
    }
}

struct LimitExceeded: Error {}

/// Runs an operation and stops waiting for it after the limit. It is cancelled then; one that ignores cancellation runs
/// on alone, which a task group would wait for.
func withHardLimit(_ limit: Duration, _ operation: @escaping @Sendable () async throws -> Void) async throws {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let work = Task {
        do {
            try await operation()
            continuation.yield(.success(()))
        } catch {
            continuation.yield(.failure(error))
        }
        continuation.finish()
    }
    let timer = Task {
        // A cancelled sleep means that the operation was faster.
        try? await Task.sleep(for: limit)
        continuation.yield(.failure(LimitExceeded()))
        continuation.finish()
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    var iterator = outcomes.makeAsyncIterator()
    // The stream ends without an outcome only when this task is cancelled.
    guard let outcome = await iterator.next() else { throw CancellationError() }
    try outcome.get()
}
