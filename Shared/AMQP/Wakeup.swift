import Locks

/// Wakes one waiting task. Several raises before a wait count as one.
final class Wakeup: Sendable {
    private enum State {
        case idle, raised, closed
        case waiting(UnsafeContinuation<Bool, Never>)
    }

    private let state = Mutex(State.idle)

    /// Wakes the waiting task, or the next one that waits.
    func raise() {
        let waiter = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
            switch state {
            case .idle: state = .raised
            case .raised, .closed: break
            case .waiting(let continuation):
                state = .idle
                return continuation
            }
            return nil
        }
        waiter?.resume(returning: true)
    }

    /// Ends the waits: the current and later ones return false.
    func close() {
        let waiter = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
            defer { state = .closed }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume(returning: false)
    }

    /// Returns when raised, or at once if it was raised since the last wait. Only one task may wait at a time.
    /// - Returns: false once closed.
    nonisolated(nonsending) func wait() async -> Bool {
        await withUnsafeContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                switch state {
                case .closed: return false
                case .raised:
                    state = .idle
                    return true
                case .idle, .waiting:
                    state = .waiting(continuation)
                    return nil
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
