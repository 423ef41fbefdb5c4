import Foundation
import ServiceKit
import Synchronization

/// One reader's stream: what the hub has for it and its session has not taken yet.
///
/// Bounded: the hub reads the next events only when the session has taken those before, so there is at most one page
/// of them, and one position for each order.
final class ConnectedStream: Sendable {
    /// Why a stream ends.
    enum End: Sendable {
        /// The access token has expired.
        case expired
        /// The account has opened more streams than it may have.
        case replaced
        /// The process stops.
        case closing
        /// The reader went away.
        case gone
    }

    enum Next: Sendable {
        case text(String)
        case end(End)
    }

    /// What the hub's look at a stream found.
    struct Health {
        var isExpired = false
        /// The reader has not taken what was written for too long.
        var isStuck = false
        var isBehind = false
    }

    fileprivate struct State {
        /// The number of the last event that was handed over.
        var seen: Int
        /// There may be events after ``seen``.
        var isBehind = true
        /// The hub has it in its queue, or reads for it.
        var isQueued = false
        var events = ""
        var positions = LatestPositions()
        var heartbeat = false
        var end: End?
        var waiting: CheckedContinuation<Void, Never>?
        /// At first its session writes that it is ready.
        var writingSince: ContinuousClock.Instant? = .now
        var lastWritten = ContinuousClock.now
    }

    let id: Int
    let account: UUID
    /// The session whose token opened it.
    let session: UUID?
    /// For accounts whose own is not known yet.
    let language: Language
    private let expires: Date
    private let endConnection: @Sendable () -> Void
    fileprivate let state: Mutex<State>

    /// - Parameters:
    ///   - after: the number of the last event that the reader has seen.
    ///   - expires: when the reader's token does.
    ///   - endConnection: ends the reader's connection at once, whatever is being written.
    init(
        id: Int, account: UUID, session: UUID? = nil, after: Int, language: Language, expires: Date,
        endConnection: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.account = account
        self.session = session
        self.language = language
        self.expires = expires
        self.endConnection = endConnection
        state = Mutex(State(seen: after))
    }

    // MARK: The session's side

    /// Waits for something to write, or for the end.
    func next() async -> Next {
        while true {
            if let next = take() { return next }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady = !state.hasNothing
                        if !isReady { state.waiting = continuation }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                end(.gone)
            }
        }
    }

    private func take() -> Next? {
        state.withLock { state in
            if let end = state.end {
                // The farewell is written too, and a reader may leave that as well.
                state.writingSince = .now
                return .end(end)
            }
            guard !state.hasNothing else { return nil }
            // Whatever is written keeps the stream alive.
            var text = state.events
            for position in state.positions.take() { text += position }
            if text.isEmpty { text = ServerSentEvent.heartbeat }
            state.events = ""
            state.heartbeat = false
            state.writingSince = .now
            return .text(text)
        }
    }

    /// What was taken is written, or that it is ready.
    func written() {
        state.withLock { state in
            state.writingSince = nil
            state.lastWritten = .now
        }
    }

    // MARK: The hub's side

    /// Whether the hub should read for it now. Then it is queued, until ``deliver(_:upTo:hasMore:)`` or ``failed()``.
    /// - Parameter hasNews: there may be events that it has not seen.
    func shouldRead(hasNews: Bool) -> Bool {
        state.withLock { state in
            if hasNews { state.isBehind = true }
            guard state.isBehind, !state.isQueued, state.events.isEmpty, state.end == nil else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Where the hub reads from. What is committed from now on is news.
    func beginReading() -> StreamMark? {
        state.withLock { state in
            guard state.end == nil else { return nil }
            state.isBehind = false
            return StreamMark(stream: id, account: account, after: state.seen)
        }
    }

    /// Hands events over.
    /// - Parameters:
    ///   - seq: the last one's number; nil when there are none.
    ///   - hasMore: the page was full.
    func deliver(_ text: String, upTo seq: Int?, hasMore: Bool) {
        change { state in
            state.isQueued = false
            if let seq { state.seen = seq }
            if hasMore { state.isBehind = true }
            state.events += text
        }
    }

    /// Reading failed: it is still behind.
    func failed() {
        change { state in
            state.isQueued = false
            state.isBehind = true
        }
    }

    func put(position text: String, order: UUID, at: Date) {
        change { _ = $0.positions.put(order: order, at: at, text: text) }
    }

    /// The first end counts.
    func end(_ end: End) {
        change { state in if state.end == nil { state.end = end } }
    }

    /// Ends the connection in the middle of what is being written.
    func cut() {
        end(.gone)
        endConnection()
    }

    /// Looks after the stream, a time or so each second.
    func look(now: ContinuousClock.Instant, date: Date, limits: StreamLimits) -> Health {
        var health = Health(isExpired: date >= expires)
        change { state in
            if state.writingSince == nil, now - state.lastWritten >= limits.heartbeat { state.heartbeat = true }
            health.isStuck = state.writingSince.map { now - $0 >= limits.write } ?? false
            health.isBehind = state.isBehind
        }
        return health
    }

    /// What it has seen, for asking whether there is more. Nil while somebody reads for it.
    var mark: StreamMark? {
        state.withLock { state in
            state.isQueued || state.end != nil ? nil : StreamMark(stream: id, account: account, after: state.seen)
        }
    }

    /// Changes the state and wakes the session if there is something for it then.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard !state.hasNothing else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

extension ConnectedStream.State {
    fileprivate var hasNothing: Bool { end == nil && events.isEmpty && positions.isEmpty && !heartbeat }
}
