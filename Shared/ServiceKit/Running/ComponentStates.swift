import Locks

/// The states of a service's components, for log lines about a shutdown that does not end.
final class ComponentStates: Sendable {
    enum State: Sendable {
        case waiting, running, stopped
        /// Had to be cancelled, because it did not stop when it was asked to.
        case cancelled
    }

    private let states = Mutex<[String: State]>([:])

    func set(_ name: String, _ state: State) { states.withLock { $0[name] = state } }

    /// Sorted names of the components in a state.
    func names(_ state: State) -> [String] {
        states.withLock { $0.filter { $0.value == state }.keys.sorted() }
    }
}

/// Opens once; one task waits for it.
struct StartGate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    }

    func open() {
        continuation.yield()
        continuation.finish()
    }

    /// - Returns: false when the task was cancelled first.
    func wait() async -> Bool {
        for await _ in stream { return true }
        return false
    }
}
