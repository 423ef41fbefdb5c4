import DequeModule

/// The state of the pool: leased connections, waiters, and the next step. Pure: no IO, no clock.
struct PoolState {
    typealias ID = Int
    typealias Instant = ContinuousClock.Instant

    struct Idle: Equatable {
        let id: ID
        let since: Instant
    }

    struct Waiter: Equatable {
        let id: Int
        let deadline: Instant
    }

    enum Acquire: Equatable {
        case use(ID)
        /// Open a new connection under this number.
        case open(ID)
        case wait(waiter: Int)
        case refuse
    }

    enum Release: Equatable {
        case keep
        /// Give the connection to this waiter.
        case handOver(waiter: Int)
        case close
    }

    let maximum: Int
    /// Last in, first out: the warmest connection is used next, and the coldest are closed.
    private(set) var idle: [Idle] = []
    private(set) var waiters: Deque<Waiter> = []
    /// Idle, leased and opening connections.
    private(set) var total = 0
    private(set) var isClosed = false
    private var nextID = 0
    private var nextWaiter = 0

    init(maximum: Int) { self.maximum = maximum }

    var leased: Int { total - idle.count }

    mutating func acquire(waitUntil deadline: Instant) -> Acquire {
        if isClosed { return .refuse }
        if let warm = idle.popLast() { return .use(warm.id) }
        if let id = reserve() { return .open(id) }
        nextWaiter += 1
        waiters.append(Waiter(id: nextWaiter, deadline: deadline))
        return .wait(waiter: nextWaiter)
    }

    private mutating func reserve() -> ID? {
        guard total < maximum, !isClosed else { return nil }
        total += 1
        nextID += 1
        return nextID
    }

    mutating func release(_ id: ID, now: Instant) -> Release {
        if isClosed {
            total -= 1
            return .close
        }
        if let waiter = waiters.popFirst() { return .handOver(waiter: waiter.id) }
        idle.append(Idle(id: id, since: now))
        return .keep
    }

    /// Handles a connection that was lost or could not be opened. Its place goes to the first waiter, which opens
    /// another.
    mutating func lost() -> (waiter: Int, open: ID)? {
        total -= 1
        guard let waiter = waiters.first, let id = reserve() else { return nil }
        waiters.removeFirst()
        return (waiter.id, id)
    }

    /// Removes a waiter. Returns whether it was still waiting.
    mutating func abandon(waiter: Int) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Removes the waiters whose time is over.
    mutating func expire(now: Instant) -> [Int] {
        let over = waiters.filter { $0.deadline <= now }.map(\.id)
        if !over.isEmpty { waiters.removeAll { $0.deadline <= now } }
        return over
    }

    var earliestDeadline: Instant? { waiters.map(\.deadline).min() }

    /// Removes connections that have been idle since before `limit`, the coldest first, and keeps `minimum` connections
    /// in all.
    mutating func reap(idleBefore limit: Instant, minimum: Int) -> [ID] {
        var reaped: [ID] = []
        while total > minimum, let coldest = idle.first, coldest.since <= limit {
            idle.removeFirst()
            total -= 1
            reaped.append(coldest.id)
        }
        return reaped
    }

    /// Removes everything: idle connections to close and waiters to refuse. Leased connections close on release.
    mutating func close() -> (idle: [ID], waiters: [Int]) {
        isClosed = true
        let closing = (idle.map(\.id), waiters.map(\.id))
        total -= idle.count
        idle.removeAll()
        waiters.removeAll()
        return closing
    }
}
