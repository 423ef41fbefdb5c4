import Foundation
import PollThread
import Postgres
import ServiceKit
import Synchronization

/// The connected streams of this process, with a queue of those that have news.
///
/// It holds no events: ``StreamReader`` reads a queued stream's rows after the last one it has seen. Therefore a
/// wake-up may come twice, late or never; the poll finds missed events.
final class StreamHub: Sendable {
    private struct State {
        /// The number of seats in use, whether their streams are connected or not.
        var seats = 0
        /// The seats by address, in the form that limits use.
        var seatsByAddress: [String: Int] = [:]
        /// All streams until their session ends, including replaced ones.
        var streams: [Int: ConnectedStream] = [:]
        /// The streams that get news, the oldest first.
        var byAccount: [UUID: [ConnectedStream]] = [:]
        var queue: [ConnectedStream] = []
        var forOthers: Set<UUID> = []
        /// Markets in which something that waits for admins has changed, about which all processes have to be told.
        var markets: Set<String> = []
        var nextID = 1
        var isClosed = false
    }

    let limits: StreamLimits
    /// Raised when a stream is queued.
    let readable = Signal()
    /// Raised when other processes have to be notified.
    let tellable = Signal()
    private let state = Mutex(State())

    init(limits: StreamLimits = StreamLimits()) { self.limits = limits }

    // MARK: Streams

    /// The reasons to refuse a seat.
    enum Refusal: Error, Equatable {
        /// All seats are in use.
        case full
        /// Only the seats reserved for people with running orders are left.
        case onlyReservedSeatsLeft
        /// The address has reached its limit, which does not apply to people with running orders.
        case fullForAddress
    }

    /// Reserves a seat for a stream; the caller holds it until the answer has ended.
    ///
    /// - Parameters:
    ///   - address: in the form that limits use.
    ///   - hasRunningOrder: whether the account has a running order.
    func takeSeat(from address: String, hasRunningOrder: Bool = false) throws(Refusal) -> StreamSeat {
        let refusal = state.withLock { state -> Refusal? in
            let ofAddress = state.seatsByAddress[address] ?? 0
            if state.seats >= limits.streams { return .full }
            if !hasRunningOrder {
                if ofAddress >= limits.streamsPerAddress { return .fullForAddress }
                if state.seats >= limits.streams - limits.reserved { return .onlyReservedSeatsLeft }
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

    /// Nil if the process is stopping.
    func open(
        account: UUID, session: UUID? = nil, adminOf markets: Set<String> = [], after: Int, language: Language,
        expires: Date, endConnection: @escaping @Sendable () -> Void
    ) -> ConnectedStream? {
        let opened = state.withLock { state -> (stream: ConnectedStream, replaced: ConnectedStream?)? in
            guard !state.isClosed else { return nil }
            let stream = ConnectedStream(
                id: state.nextID, account: account, session: session, adminOf: markets, after: after,
                language: language, expires: expires, endConnection: endConnection)
            state.nextID += 1
            state.streams[stream.id] = stream
            state.byAccount[account, default: []].append(stream)
            guard let own = state.byAccount[account], own.count > limits.streamsPerAccount else { return (stream, nil) }
            // Stays in `streams`: its session may be stuck in a write, which only a cut ends.
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

    /// Refuses new streams and ends the connected ones.
    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end(.closing) }
    }

    // MARK: News

    /// Handles a commit of this process with events for these accounts.
    func committed(_ accounts: Set<UUID>) {
        wake(accounts)
        state.withLock { $0.forOthers.formUnion(accounts) }
        tellable.raise()
    }

    /// Handles a commit of this process with a change of what waits for the admins of these markets.
    func committed(markets: Set<String>) {
        state.withLock { $0.markets.formUnion(markets) }
        tellable.raise()
    }

    /// Tells the admins of a market who are connected to this process, now or never: what waits is in a list.
    func tell(_ text: String, toAdminsOf market: String) {
        let streams = all.filter { $0.adminOf.contains(market) || $0.adminOf.contains("*") }
        for stream in streams { stream.put(change: text, market: market) }
    }

    /// Queues the streams of accounts that may have news.
    func wake(_ accounts: some Sequence<UUID>) {
        let streams = state.withLock { state in accounts.flatMap { state.byAccount[$0] ?? [] } }
        read(streams, hasNews: true)
    }

    /// Queues the streams that have news, or whose sessions have taken the last page and are still behind.
    func read(_ streams: [ConnectedStream], hasNews: Bool) {
        let queued = streams.filter { $0.shouldRead(hasNews: hasNews) }
        guard !queued.isEmpty else { return }
        state.withLock { $0.queue += queued }
        readable.raise()
    }

    /// The connected streams with these ids.
    func streams(_ ids: [Int]) -> [ConnectedStream] {
        state.withLock { state in ids.compactMap { state.streams[$0] } }
    }

    /// Takes queued streams for a read.
    func takeQueued(_ limit: Int) -> [ConnectedStream] {
        state.withLock { state in
            let taken = Array(state.queue.prefix(limit))
            state.queue.removeFirst(taken.count)
            return taken
        }
    }

    /// Takes the accounts about which other processes have to be notified.
    func takeForOthers() -> Set<UUID> {
        state.withLock { state in
            defer { state.forOthers = [] }
            return state.forOthers
        }
    }

    /// Takes the markets about which all processes have to be told.
    func takeMarkets() -> Set<String> {
        state.withLock { state in
            defer { state.markets = [] }
            return state.markets
        }
    }

    // MARK: Positions

    /// Whether one of these accounts is connected to this process.
    func hasReaders(_ accounts: [UUID]) -> Bool {
        state.withLock { state in accounts.contains { state.byAccount[$0] != nil } }
    }

    func tell(position text: String, order: UUID, at: Date, to accounts: [UUID]) {
        let streams = state.withLock { state in accounts.flatMap { state.byAccount[$0] ?? [] } }
        for stream in streams { stream.put(position: text, order: order, at: at) }
    }

    func tell(place text: String, of friend: UUID, at: Date, to accounts: [UUID]) {
        let streams = state.withLock { state in accounts.flatMap { state.byAccount[$0] ?? [] } }
        for stream in streams { stream.put(place: text, of: friend, at: at) }
    }
}
