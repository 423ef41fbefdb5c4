import Foundation
import PollThread
import Postgres
import ServiceKit
import Synchronization

/// The connected streams of this process, and who of them has news.
///
/// It holds no events: a stream that has news is queued, ``StreamReader`` reads its rows after the last one it has seen,
/// and that is all the state there is. So a wake-up may come twice, late or never; the poll finds what was missed.
final class StreamHub: Sendable {
    private struct State {
        /// Those that were asked for, whether they are connected yet or not.
        var seats = 0
        /// The same by address, as limits know it.
        var seatsByAddress: [String: Int] = [:]
        /// Until their session has ended: those that were replaced are still here.
        var streams: [Int: ConnectedStream] = [:]
        /// Those that are told news. The oldest first.
        var byAccount: [UUID: [ConnectedStream]] = [:]
        var queue: [ConnectedStream] = []
        var forOthers: Set<UUID> = []
        var nextID = 1
        var isClosed = false
    }

    let limits: StreamLimits
    /// Raised when a stream is queued.
    let readable = Signal()
    /// Raised when other processes are to be told.
    let tellable = Signal()
    private let state = Mutex(State())

    init(limits: StreamLimits = StreamLimits()) { self.limits = limits }

    // MARK: Streams come and go

    /// Why there is no seat.
    enum Refusal: Error, Equatable {
        /// All are taken.
        case full
        /// Those are that are for everybody. People with running orders have some more.
        case fullForMost
        /// The address has its part of them. People with running orders are not counted by it.
        case fullForAddress
    }

    /// A place for a stream, to be held until its answer has ended.
    ///
    /// - Parameters:
    ///   - address: as limits know it.
    ///   - hasRunningOrder: whether one of the account's orders is under way.
    func takeSeat(from address: String, hasRunningOrder: Bool = false) throws(Refusal) -> StreamSeat {
        let refusal = state.withLock { state -> Refusal? in
            let ofAddress = state.seatsByAddress[address] ?? 0
            if state.seats >= limits.streams { return .full }
            if !hasRunningOrder {
                if ofAddress >= limits.streamsPerAddress { return .fullForAddress }
                if state.seats >= limits.streams - limits.reserved { return .fullForMost }
            }
            state.seats += 1
            state.seatsByAddress[address] = ofAddress + 1
            return nil
        }
        if let refusal { throw refusal }
        return StreamSeat { [self] in
            state.withLock { state in
                state.seats -= 1
                let left = (state.seatsByAddress[address] ?? 1) - 1
                state.seatsByAddress[address] = left > 0 ? left : nil
            }
        }
    }

    /// Nil when the process stops.
    func open(
        account: UUID, session: UUID? = nil, after: Int, language: Language, expires: Date,
        endConnection: @escaping @Sendable () -> Void
    ) -> ConnectedStream? {
        let opened = state.withLock { state -> (stream: ConnectedStream, replaced: ConnectedStream?)? in
            guard !state.isClosed else { return nil }
            let stream = ConnectedStream(
                id: state.nextID, account: account, session: session, after: after, language: language,
                expires: expires,
                endConnection: endConnection)
            state.nextID += 1
            state.streams[stream.id] = stream
            state.byAccount[account, default: []].append(stream)
            guard let own = state.byAccount[account], own.count > limits.streamsPerAccount else { return (stream, nil) }
            // It stays among the streams: its session may be stuck in a write, which only a cut ends.
            return (stream, state.byAccount[account]?.removeFirst())
        }
        guard let opened else { return nil }
        opened.replaced?.end(.replaced)
        StreamMetrics.connected(count)
        read([opened.stream], hasNews: true)
        return opened.stream
    }

    func remove(_ stream: ConnectedStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: stream.id) != nil else { return }
            state.byAccount[stream.account]?.removeAll { $0 === stream }
            if state.byAccount[stream.account]?.isEmpty == true { state.byAccount[stream.account] = nil }
        }
        StreamMetrics.connected(count)
    }

    var count: Int { state.withLock { $0.streams.count } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var all: [ConnectedStream] { state.withLock { Array($0.streams.values) } }

    /// Takes no more streams and ends those there are.
    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end(.closing) }
    }

    // MARK: News

    /// Events for these accounts were committed by this process.
    func committed(_ accounts: Set<UUID>) {
        wake(accounts)
        state.withLock { $0.forOthers.formUnion(accounts) }
        tellable.raise()
    }

    /// There may be news for these accounts.
    func wake(_ accounts: some Sequence<UUID>) {
        let streams = state.withLock { state in accounts.flatMap { state.byAccount[$0] ?? [] } }
        read(streams, hasNews: true)
    }

    /// There is news for these streams, or their sessions have taken what was there.
    func read(_ streams: [ConnectedStream], hasNews: Bool) {
        let queued = streams.filter { $0.shouldRead(hasNews: hasNews) }
        guard !queued.isEmpty else { return }
        state.withLock { $0.queue += queued }
        readable.raise()
    }

    /// Streams by number; those that are gone are left out.
    func streams(_ ids: [Int]) -> [ConnectedStream] {
        state.withLock { state in ids.compactMap { state.streams[$0] } }
    }

    /// Takes streams to read for.
    func takeQueued(_ limit: Int) -> [ConnectedStream] {
        state.withLock { state in
            let taken = Array(state.queue.prefix(limit))
            state.queue.removeFirst(taken.count)
            return taken
        }
    }

    /// Takes the accounts that other processes are to be told of.
    func takeForOthers() -> Set<UUID> {
        state.withLock { state in
            defer { state.forOthers = [] }
            return state.forOthers
        }
    }

    // MARK: Positions

    /// Whether anybody here would see a position that concerns these accounts.
    func hasReaders(_ accounts: [UUID]) -> Bool {
        state.withLock { state in accounts.contains { state.byAccount[$0] != nil } }
    }

    func tell(position text: String, order: UUID, at: Date, to accounts: [UUID]) {
        let streams = state.withLock { state in accounts.flatMap { state.byAccount[$0] ?? [] } }
        for stream in streams { stream.put(position: text, order: order, at: at) }
    }
}
