import Foundation
import ServiceKit
import Synchronization

/// One reader's stream: the texts that the hub has delivered and the session has not taken yet.
///
/// Bounded to one page of events and one position per order or friend, because the hub reads the next page only after the session
/// has taken the last one.
final class ConnectedStream: Sendable {
    /// The reasons for the end of a stream.
    enum End: Sendable {
        /// The access token has expired.
        case expired
        /// The account has opened more streams than its limit.
        case replaced
        /// The process stops.
        case closing
        /// The reader has disconnected.
        case gone
    }

    enum Next: Sendable {
        case text(String)
        case end(End)
    }

    /// The result of the hub's regular check.
    struct Health {
        var isExpired = false
        /// The reader has not accepted the written bytes for too long.
        var isStuck = false
        var isBehind = false
    }

    fileprivate struct State {
        /// The number of the last delivered event.
        var seen: Int
        /// There may be events after ``seen``.
        var isBehind = true
        /// The stream is in the hub's queue, or the hub is reading for it.
        var isQueued = false
        var events = ""
        var positions = LatestPositions()
        /// By market: that something waits for its admins, or does no longer.
        var changes: [String: String] = [:]
        var places = LatestPositions(limit: LatestPositions.friendLimit)
        var heartbeat = false
        var end: End?
        var waiting: CheckedContinuation<Void, Never>?
        /// Initially set, because the session writes `ready` first.
        var writingSince: ContinuousClock.Instant? = .now
        var lastWritten = ContinuousClock.now
    }

    let id: Int
    let account: UUID
    /// The session whose token opened the stream.
    let session: UUID?
    /// The markets of which the reader is an admin or the support, by the token; `*` for all.
    let adminOf: Set<String>
    /// The fallback for accounts whose language is not known yet.
    let language: Language
    private let expires: Date
    private let endConnection: @Sendable () -> Void
    fileprivate let state: Mutex<State>

    /// - Parameters:
    ///   - after: the number of the last event that the reader has seen.
    ///   - expires: the end of the reader's token.
    ///   - endConnection: ends the reader's connection at once, even during a write.
    init(
        id: Int, account: UUID, session: UUID? = nil, adminOf: Set<String> = [], after: Int, language: Language,
        expires: Date, endConnection: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.account = account
        self.session = session
        self.adminOf = adminOf
        self.language = language
        self.expires = expires
        self.endConnection = endConnection
        state = Mutex(State(seen: after))
    }

    // MARK: The session's side

    /// Waits for a text to write, or for the end.
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
                // The farewell is a write, too, and may get stuck.
                state.writingSince = .now
                return .end(end)
            }
            guard !state.hasNothing else { return nil }
            // Any text serves as a heartbeat.
            var text = state.events
            for position in state.positions.take() + state.places.take() { text += position }
            for change in state.changes.values { text += change }
            state.changes = [:]
            if text.isEmpty { text = ServerSentEvent.heartbeat }
            state.events = ""
            state.heartbeat = false
            state.writingSince = .now
            return .text(text)
        }
    }

    /// Marks the last text, or `ready`, as written.
    func written() {
        state.withLock { state in
            state.writingSince = nil
            state.lastWritten = .now
        }
    }

    // MARK: The hub's side

    /// Whether the hub should read for the stream now. It is then queued until ``deliver(_:upTo:hasMore:)`` or
    /// ``failed()``.
    /// - Parameter hasNews: whether there may be events that it has not seen.
    func shouldRead(hasNews: Bool) -> Bool {
        state.withLock { state in
            if hasNews { state.isBehind = true }
            guard state.isBehind, !state.isQueued, state.events.isEmpty, state.end == nil else { return false }
            state.isQueued = true
            return true
        }
    }

    /// Starts a read and returns its position; later commits count as news.
    func beginReading() -> StreamMark? {
        state.withLock { state in
            guard state.end == nil else { return nil }
            state.isBehind = false
            return StreamMark(stream: id, account: account, after: state.seen)
        }
    }

    /// Delivers a page of events.
    /// - Parameters:
    ///   - seq: the last event's number; nil if the page is empty.
    ///   - hasMore: whether the page was full.
    func deliver(_ text: String, upTo seq: Int?, hasMore: Bool) {
        change { state in
            state.isQueued = false
            if let seq { state.seen = seq }
            if hasMore { state.isBehind = true }
            state.events += text
        }
    }

    /// Marks a failed read: the stream is still behind.
    func failed() {
        change { state in
            state.isQueued = false
            state.isBehind = true
        }
    }

    func put(position text: String, order: UUID, at: Date) {
        change { _ = $0.positions.put(order: order, at: at, text: text) }
    }

    func put(change text: String, market: String) { change { $0.changes[market] = text } }

    func put(place text: String, of friend: UUID, at: Date) {
        change { _ = $0.places.put(order: friend, at: at, text: text) }
    }

    /// Ends the stream; only the first end counts.
    func end(_ end: End) {
        change { state in if state.end == nil { state.end = end } }
    }

    /// Ends the connection, even during a write.
    func cut() {
        end(.gone)
        endConnection()
    }

    /// Checks the stream; called at the interval ``StreamLimits/look``.
    func look(now: ContinuousClock.Instant, date: Date, limits: StreamLimits) -> Health {
        var health = Health(isExpired: date >= expires)
        change { state in
            if state.writingSince == nil, now - state.lastWritten >= limits.heartbeat { state.heartbeat = true }
            health.isStuck = state.writingSince.map { now - $0 >= limits.write } ?? false
            health.isBehind = state.isBehind
        }
        return health
    }

    /// The stream's position for the poll; nil while a read is queued or running.
    var mark: StreamMark? {
        state.withLock { state in
            state.isQueued || state.end != nil ? nil : StreamMark(stream: id, account: account, after: state.seen)
        }
    }

    /// Changes the state and wakes the session if it has something to do.
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
    fileprivate var hasNothing: Bool {
        end == nil && events.isEmpty && positions.isEmpty && places.isEmpty && changes.isEmpty && !heartbeat
    }
}
