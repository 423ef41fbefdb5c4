import Dispatch
import Logging
import ServiceLifecycle
import Locks

/// Knows when a shutdown began and sees to it that it ends.
///
/// The timer is Dispatch's, not a task: it must fire even when every thread of the task pool is blocked, which is one
/// way for a shutdown not to end.
final class ShutdownState: Sendable {
    private let grace: Duration
    private let onOverrun: @Sendable () -> Void
    private let timer = Mutex<DispatchWorkItem?>(nil)

    init(grace: Duration, onOverrun: @escaping @Sendable () -> Void) {
        self.grace = grace
        self.onOverrun = onOverrun
    }

    var hasBegun: Bool { timer.withLock { $0 != nil } }

    /// Only the first call counts.
    func begin() {
        timer.withLock { timer in
            guard timer == nil else { return }
            let item = DispatchWorkItem { [onOverrun] in onOverrun() }
            DispatchQueue.global().asyncAfter(deadline: .now() + grace.seconds, execute: item)
            timer = item
        }
    }

    /// Everything has stopped.
    func end() { timer.withLock { $0?.cancel() } }
}

/// The last to start and so the first to be told of a shutdown.
struct ShutdownWatch: Service {
    let turn: StartGate
    let shutdown: ShutdownState
    let health: Health
    let logger: Logger

    func run() async throws {
        let isComplete = await cancelWhenGracefulShutdown { await turn.wait() }
        if isComplete {
            health.enter(.ready)
            logger.notice("ready")
            // Ends by graceful shutdown or by cancellation; both are a shutdown.
            try? await gracefulShutdown()
        }
        shutdown.begin()
        health.enter(.draining)
        logger.notice("shutting down")
    }
}
