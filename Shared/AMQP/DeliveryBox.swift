import DequeModule
import struct Synchronization.Atomic
import Locks

/// Passes deliveries from a consuming link's thread to the workers, and settlements back. One lock, and one wake-up for
/// a burst in either direction.
final class DeliveryBox: Sendable {
    typealias Continuation = UnsafeContinuation<Result<[Delivery], CancellationError>, Never>

    enum Settlement: Sendable {
        case ack(DeliveryTag)
        case reject(DeliveryTag, requeue: Bool)
    }

    /// Records that the waiting task was cancelled, also before it began to wait.
    final class Ticket: Sendable {
        fileprivate let isCancelled = Atomic(false)
    }

    struct Waiter {
        let limit: Int
        let window: Duration
        let ticket: Ticket
        let continuation: Continuation
    }

    struct State {
        var buffer: Deque<Delivery> = []
        var waiters: Deque<Waiter> = []
        /// When the first waiter takes what there is; set while there is something, but less than it wants.
        var windowEnd: ContinuousClock.Instant?
        /// Whether the broker sends no more before a settlement.
        var isWindowFull = false
        var settlements: [Settlement] = []
        /// Whether nothing is handed out any more.
        var isEnded = false
    }

    let wakeup = Wakeup()
    /// The number of settlements that is worth a wake-up.
    private let settlementBurst: Int
    private let state = Mutex(State())

    init(settlementBurst: Int) { self.settlementBurst = settlementBurst }

    // MARK: Workers

    /// The deliveries that can be handed out without waiting; empty at the end, nil if the caller has to wait.
    func takeNow(upTo limit: Int, within window: Duration) -> [Delivery]? {
        state.withLock { state -> [Delivery]? in
            if state.isEnded { return [] }
            guard state.waiters.isEmpty, !state.buffer.isEmpty else { return nil }
            guard state.buffer.count >= limit || window <= .zero || state.isWindowFull else { return nil }
            return state.take(limit)
        }
    }

    func wait(upTo limit: Int, within window: Duration, _ ticket: Ticket, _ continuation: Continuation) {
        var resumptions: [(Continuation, [Delivery])] = []
        let (isOver, needsTimer) = state.withLock { state -> (Bool, Bool) in
            if state.isEnded { return (true, false) }
            if ticket.isCancelled.load(ordering: .acquiring) { return (true, false) }
            state.waiters.append(Waiter(limit: limit, window: window, ticket: ticket, continuation: continuation))
            state.serveWaiters(now: .now, &resumptions)
            return (false, state.windowEnd != nil)
        }
        if isOver {
            let isCancelled = ticket.isCancelled.load(ordering: .acquiring)
            continuation.resume(returning: isCancelled ? .failure(CancellationError()) : .success([]))
        }
        Self.resume(resumptions)
        if needsTimer { wakeup.raise() }
    }

    func cancel(_ ticket: Ticket) {
        ticket.isCancelled.store(true, ordering: .releasing)
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.ticket === ticket }) else { return nil }
            if index == 0 { state.windowEnd = nil }
            return state.waiters.remove(at: index)
        }
        guard let waiter else { return }
        waiter.continuation.resume(returning: .failure(CancellationError()))
        // The next waiter may take what this one was collecting.
        wakeup.raise()
    }

    func settle(_ settlements: some Collection<Settlement>) {
        let isWorthWaking = state.withLock { state in
            let before = state.settlements.count
            state.settlements.append(contentsOf: settlements)
            return before == 0 || (before < settlementBurst && state.settlements.count >= settlementBurst)
        }
        if isWorthWaking { wakeup.raise() }
    }

    // MARK: The link

    /// Swaps the settlements for the emptied array of the last call.
    func takeSettlements(_ settlements: inout [Settlement]) {
        settlements.removeAll(keepingCapacity: true)
        state.withLock { swap(&settlements, &$0.settlements) }
    }

    /// Adds deliveries, and hands out what is due.
    /// - Returns: when to call again if nothing comes.
    func deliver(
        _ deliveries: inout [Delivery], isWindowFull: Bool, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        var resumptions: [(Continuation, [Delivery])] = []
        let windowEnd = state.withLock { state in
            if !state.isEnded { state.buffer.append(contentsOf: deliveries) }
            state.isWindowFull = isWindowFull
            state.serveWaiters(now: now, &resumptions)
            return state.windowEnd
        }
        deliveries.removeAll(keepingCapacity: true)
        Self.resume(resumptions)
        return windowEnd
    }

    /// Drops what was not handed out, after the end of the connection: the broker delivers it again.
    func clear() {
        state.withLock { state in
            state.buffer.removeAll()
            state.windowEnd = nil
            state.isWindowFull = false
        }
    }

    /// Hands out nothing any more.
    /// - Returns: the number of deliveries that were left.
    func end() -> Int {
        let (waiters, dropped) = state.withLock { state in
            state.isEnded = true
            let waiters = state.waiters
            let dropped = state.buffer.count
            state.waiters.removeAll()
            state.buffer.removeAll()
            state.windowEnd = nil
            return (waiters, dropped)
        }
        for waiter in waiters { waiter.continuation.resume(returning: .success([])) }
        return dropped
    }

    private static func resume(_ resumptions: [(Continuation, [Delivery])]) {
        for (continuation, batch) in resumptions { continuation.resume(returning: .success(batch)) }
    }
}

extension DeliveryBox.State {
    fileprivate mutating func take(_ limit: Int) -> [Delivery] {
        let count = min(limit, buffer.count)
        var batch: [Delivery] = []
        batch.reserveCapacity(count)
        // Removed one by one, so that they are moved and not copied.
        for _ in 0..<count { batch.append(buffer.removeFirst()) }
        return batch
    }

    /// Serves waiters in turn. A waiter that may still get more keeps later ones waiting until its window ends.
    fileprivate mutating func serveWaiters(
        now: ContinuousClock.Instant, _ resumptions: inout [(DeliveryBox.Continuation, [Delivery])]
    ) {
        while let waiter = waiters.first, !buffer.isEmpty {
            let end = windowEnd ?? now + waiter.window
            guard buffer.count >= waiter.limit || isWindowFull || end <= now else {
                windowEnd = end
                return
            }
            windowEnd = nil
            waiters.removeFirst()
            resumptions.append((waiter.continuation, take(waiter.limit)))
        }
        if buffer.isEmpty { windowEnd = nil }
    }
}
