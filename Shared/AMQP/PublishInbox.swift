import struct Synchronization.Atomic
import Locks

/// The messages of one publishing call, and whether its task was cancelled.
final class Submission: Sendable {
    let deadline: ContinuousClock.Instant
    let batch: [OutboundMessage]
    /// Replaces a batch of one, which would cost an array.
    private let single: OutboundMessage?
    private let cancelled = Atomic(false)

    init(_ message: OutboundMessage, deadline: ContinuousClock.Instant) {
        single = message
        batch = []
        self.deadline = deadline
    }

    init(batch: [OutboundMessage], deadline: ContinuousClock.Instant) {
        single = nil
        self.batch = batch
        self.deadline = deadline
    }

    func message(at index: Int) -> OutboundMessage { single ?? batch[index] }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// Passes messages from publishing tasks to the link's thread: one lock, and one wake-up for a burst.
final class PublishInbox: Sendable {
    typealias Outcome = Result<Void, PublishError>

    enum Request: Sendable {
        case one(Submission, UnsafeContinuation<Outcome, Never>)
        case batch(Submission, UnsafeContinuation<[Outcome], Never>)
    }

    private struct State {
        var requests: [Request] = []
        var hasCancellation = false
        var isClosed = false
    }

    let wakeup = Wakeup()
    private let state = Mutex(State())

    /// - Returns: false if the inbox is closed.
    func append(_ request: Request) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.requests.append(request)
            return (true, state.requests.count == 1)
        }
        if isFirst { wakeup.raise() }
        return isTaken
    }

    func cancel(_ submission: Submission) {
        submission.cancel()
        state.withLock { $0.hasCancellation = true }
        wakeup.raise()
    }

    /// Swaps the requests for the emptied array of the last call.
    /// - Returns: whether a submission was cancelled since then.
    func take(_ requests: inout [Request]) -> Bool {
        requests.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&requests, &state.requests)
            defer { state.hasCancellation = false }
            return state.hasCancellation
        }
    }

    /// Accepts nothing any more; earlier requests can still be taken.
    func close() { state.withLock { $0.isClosed = true } }
}
