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
        let deadline = ContinuousClock.now + limit
        var next = index
        while true {
            let known = entries
            for entry in known.dropFirst(next) {
                if let value = match(entry) { return value }
            }
            next = max(next, known.count)
            try Task.checkCancellation()
            guard ContinuousClock.now < deadline else {
                throw Silence(what: what, limit: limit, last: known.suffix(4).map { Self.describe($0.event) })
            }
            await change(after: next, until: deadline)
        }
    }

    /// What was said from `index` on, as soon as that is something; nothing when the limit is over.
    public func entries(from index: Int, within limit: Duration) async throws -> ArraySlice<Entry> {
        let deadline = ContinuousClock.now + limit
        while true {
            let known = entries
            if known.count > index { return known[index...] }
            try Task.checkCancellation()
            guard ContinuousClock.now < deadline else { return [] }
            await change(after: index, until: deadline)
        }
    }

    /// Returns when there are more than `count` entries, at the deadline, or when the task is cancelled.
    private func change(after count: Int, until deadline: ContinuousClock.Instant) async {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        let alarm = Task {
            // try?: cancelled means that nobody waits any more.
            try? await Task.sleep(until: deadline)
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
        alarm.cancel()
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
