import Synchronization

/// Everything that a stream has said, in its order, for whoever looks or waits.
public final class StreamLog: Sendable {
    public struct Entry: Sendable {
        /// The event's own id; nil for what cannot be resumed.
        public let id: String?
        /// When its bytes were read.
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
        var wait = Wait(deadline: .now + limit)
        defer { wait.alarm?.cancel() }
        var next = index
        while true {
            if let value = look(from: &next, match) { return value }
            try Task.checkCancellation()
            guard ContinuousClock.now < wait.deadline else {
                throw Silence(what: what, limit: limit, last: entries.suffix(4).map { Self.describe($0.event) })
            }
            await change(after: next, &wait)
        }
    }

    /// What was said from `index` on, as soon as that is something; nothing when the limit is over.
    public func entries(from index: Int, within limit: Duration) async throws -> [Entry] {
        var wait = Wait(deadline: .now + limit)
        defer { wait.alarm?.cancel() }
        while count <= index {
            try Task.checkCancellation()
            guard ContinuousClock.now < wait.deadline else { return [] }
            await change(after: index, &wait)
        }
        return entries(from: index)
    }

    // MARK: Waiting

    private struct Wait {
        let deadline: ContinuousClock.Instant
        var number: Int?
        /// Ends the wait at the deadline. Only who has to wait sets one.
        var alarm: Task<Void, Never>?
    }

    /// Nothing of the log is held when it returns: whoever holds it while something is added makes a copy of it all.
    private func look<Value>(from next: inout Int, _ match: (Entry) -> Value?) -> Value? {
        let fresh = entries(from: next)
        next += fresh.count
        for entry in fresh {
            if let value = match(entry) { return value }
        }
        return nil
    }

    private func entries(from index: Int) -> [Entry] {
        state.withLock { Array($0.entries.dropFirst(index)) }
    }

    /// Returns when there are more than `count` entries, at the deadline, or when the task is cancelled.
    private func change(after count: Int, _ wait: inout Wait) async {
        let deadline = wait.deadline
        let number = wait.number ?? newNumber()
        wait.number = number
        wait.alarm =
            wait.alarm
            ?? Task {
                while !Task.isCancelled, ContinuousClock.now < deadline {
                    // try?: cancelled means that nobody waits any more.
                    try? await Task.sleep(until: deadline)
                }
                self.wake(number)
            }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.entries.count > count || ContinuousClock.now >= deadline { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isDue || Task.isCancelled { isDue ? continuation.resume() : wake(number) }
            }
        } onCancel: {
            wake(number)
        }
    }

    private func newNumber() -> Int {
        state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
    }

    private func wake(_ number: Int) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    static func describe(_ event: StreamEvent) -> String {
        switch event {
        case .ready(let hasMissed): hasMissed ? "ready, missed" : "ready"
        case .order(let order): "order \(order.state) v\(order.version)"
        case .inbox(let item): "inbox \(item.subject)"
        case .payment(let outcome): "payment \(outcome.state ?? "") \(outcome.reason ?? "")"
        case .position: "position"
        case .friendPlace: "friend-place"
        case .undone(let order): "undone \(order.path)"
        case .unknown(let name): "unknown \(name)"
        case .unreadable(let name, let why): "unreadable \(name): \(why)"
        }
    }
}
