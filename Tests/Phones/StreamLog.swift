import Synchronization

/// Everything that a stream has said, in its order, for whoever looks or waits.
public final class StreamLog: Sendable {
    public struct Entry: Sendable {
        /// The event's own id; nil for what cannot be resumed.
        public let id: String?
        /// When its bytes came.
        public let at: ContinuousClock.Instant
        public let event: StreamEvent
    }

    /// Something awaited was not said in time.
    public struct Silence: Error, CustomStringConvertible {
        public let what: String
        public let limit: Duration
        public let last: [String]
        public var description: String { "not on the stream within \(limit): \(what); the last were \(last)" }
    }

    private struct State {
        var entries: [Entry] = []
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var waiterCount = 0
    }

    private let state = Mutex(State())

    public init() {}

    public var entries: [Entry] { state.withLock { $0.entries } }
    public var count: Int { state.withLock { $0.entries.count } }

    func append(_ entry: Entry) {
        let waiters = state.withLock { state in
            state.entries.append(entry)
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The first thing at or after `index` that `match` makes something of; waits for it.
    public func first<Value>(
        _ what: String, within limit: Duration = .seconds(15), from index: Int = 0, match: (Entry) -> Value?
    ) async throws -> Value {
        let wait = wait(until: .now + limit)
        defer { wait.alarm.cancel() }
        var next = index
        while true {
            let fresh = entries(from: next)
            for entry in fresh {
                if let value = match(entry) { return value }
            }
            next += fresh.count
            try Task.checkCancellation()
            guard ContinuousClock.now < wait.deadline else {
                throw Silence(what: what, limit: limit, last: entries.suffix(4).map { Self.describe($0.event) })
            }
            await change(after: next, wait)
        }
    }

    /// What was said from `index` on, as soon as that is something; nothing when the limit is over.
    public func entries(from index: Int, within limit: Duration) async throws -> [Entry] {
        let wait = wait(until: .now + limit)
        defer { wait.alarm.cancel() }
        while true {
            let fresh = entries(from: index)
            if !fresh.isEmpty { return fresh }
            try Task.checkCancellation()
            guard ContinuousClock.now < wait.deadline else { return [] }
            await change(after: index, wait)
        }
    }

    /// A copy of the new ones alone: one of all that is held for a while would be made again with each that is added.
    private func entries(from index: Int) -> [Entry] {
        state.withLock { Array($0.entries.dropFirst(index)) }
    }

    private struct Wait {
        let number: Int
        let deadline: ContinuousClock.Instant
        /// Ends the wait at the deadline.
        let alarm: Task<Void, Never>
    }

    private func wait(until deadline: ContinuousClock.Instant) -> Wait {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        let alarm = Task {
            // try?: cancelled means that nobody waits any more.
            try? await Task.sleep(until: deadline)
            self.wake(number)
        }
        return Wait(number: number, deadline: deadline, alarm: alarm)
    }

    /// Returns when there are more than `count` entries, at the deadline, or when the task is cancelled.
    private func change(after count: Int, _ wait: Wait) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.entries.count > count || ContinuousClock.now >= wait.deadline { return true }
                    state.waiters[wait.number] = continuation
                    return false
                }
                if isDue || Task.isCancelled { isDue ? continuation.resume() : wake(wait.number) }
            }
        } onCancel: {
            wake(wait.number)
        }
    }

    private func wake(_ number: Int) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    static func describe(_ event: StreamEvent) -> String {
        switch event {
        case .ready: "ready"
        case .order(let order): "order \(order.state) v\(order.version)"
        case .inbox(let item): "inbox \(item.subject)"
        case .payment(let outcome): "payment \(outcome.state ?? "") \(outcome.reason ?? "")"
        case .position: "position"
        case .unknown(let name): "unknown \(name)"
        case .unreadable(let name, let why): "unreadable \(name): \(why)"
        }
    }
}
