public import PollThread
import Locks

/// A wake-up between tasks of one process. Several raises before a wait count as one.
public final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    public func raise() {
        let waiters = state.withLock { state in
            defer { state.waiters.removeAll() }
            state.isRaised = state.waiters.isEmpty
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Returns when the signal is raised, was raised since the last wait, the deadline is over, or the task is
    /// cancelled. The caller must check its own state: a return does not mean that there is work.
    /// - Returns: whether the signal was raised.
    public func wait(until deadline: ContinuousClock.Instant, on thread: PollThread) async -> Bool {
        let timer = Task(executorPreference: thread) {
            do { try await thread.sleep(until: deadline) } catch { return }
            self.endWaits()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.isRaised || Task.isCancelled || deadline <= .now {
                        defer { state.isRaised = false }
                        return state.isRaised
                    }
                    state.waiters.append(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            endWaits()
        }
    }

    private func endWaits() {
        let waiters = state.withLock { state in
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }
}

/// Signals by name.
final class LocalSignals: Sendable {
    private let signals = Mutex<[String: Signal]>([:])

    func named(_ name: String) -> Signal {
        signals.withLock { signals in
            if let known = signals[name] { return known }
            let made = Signal()
            signals[name] = made
            return made
        }
    }

    func raise(_ name: String) { named(name).raise() }
}
