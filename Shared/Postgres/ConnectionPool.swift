import Logging
import PollThread

/// The IO part around ``PoolState``: opens, lends and closes connections on the pool's thread.
///
/// It runs on the same thread as its connections, so a single statement costs its caller one change of threads each
/// way.
actor ConnectionPool {
    typealias Lease = (id: PoolState.ID, connection: PostgresConnection)

    private enum Grant {
        case connection(PoolState.ID)
        case open(PoolState.ID)
        case refused(PostgresError)
    }

    nonisolated let thread: PollThread
    nonisolated let memory = PoolMemory()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let configuration: PostgresPool.Configuration
    private let logger: Logger
    private var state: PoolState
    private var connections: [PoolState.ID: PostgresConnection] = [:]
    private var waiting: [Int: CheckedContinuation<Grant, Never>] = [:]
    /// Grants that came before their waiter had stored its continuation: even a call within the actor may let another
    /// job run in between.
    private var earlyGrants: [Int: Grant] = [:]
    /// The only timer, running while a caller waits.
    private var waitTimer: Task<Void, Never>?
    private var reaper: Task<Void, Never>?

    init(_ configuration: PostgresPool.Configuration, thread: PollThread, logger: Logger) {
        self.configuration = configuration
        self.thread = thread
        self.logger = logger
        self.state = PoolState(maximum: configuration.maximumConnections)
    }

    // MARK: Leases

    func acquire() async throws(PostgresError) -> Lease {
        startReaper()
        while true {
            switch state.acquire(waitUntil: .now + configuration.acquireTimeout) {
            case .use(let id):
                if let lease = await warmLease(id) { return lease }
            case .open(let id):
                return try await open(id)
            case .wait(let waiter):
                return try await wait(waiter)
            case .refuse:
                throw PostgresError(.poolClosed, "the pool is closed")
            }
        }
    }

    func release(_ lease: Lease) async {
        // A connection with an open transaction must not be passed on; only a statement type with BEGIN could leave
        // one.
        guard await lease.connection.isUsable, await lease.connection.isIdle else { return await discard(lease) }
        switch state.release(lease.id, now: .now) {
        case .keep: break
        case .handOver(let waiter): grant(waiter, .connection(lease.id))
        case .close:
            connections[lease.id] = nil
            await lease.connection.close()
        }
    }

    /// Discards a connection that is dead or in an unknown state.
    func discard(_ lease: Lease) async {
        await lease.connection.close()
        lostPlace(lease.id)
    }

    private func warmLease(_ id: PoolState.ID) async -> Lease? {
        guard let connection = connections[id] else { return nil }
        if await connection.isHealthy() { return (id, connection) }
        await discard((id, connection))
        return nil
    }

    private func open(_ id: PoolState.ID) async throws(PostgresError) -> Lease {
        do {
            let connection = try await PostgresConnection.connect(configuration.connection, on: thread)
            connections[id] = connection
            PostgresMetrics.opened()
            return (id, connection)
        } catch {
            lostPlace(id)
            throw error
        }
    }

    private func lostPlace(_ id: PoolState.ID) {
        if connections.removeValue(forKey: id) != nil { PostgresMetrics.lost() }
        guard let next = state.lost() else { return }
        grant(next.waiter, .open(next.open))
    }

    private func wait(_ waiter: Int) async throws(PostgresError) -> Lease {
        let started = ContinuousClock.now
        startWaitTimer()
        let grant = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let early = earlyGrants.removeValue(forKey: waiter) { return continuation.resume(returning: early) }
                waiting[waiter] = continuation
                if Task.isCancelled { abandon(waiter) }
            }
        } onCancel: {
            Task { await self.abandon(waiter) }
        }
        PostgresMetrics.waited(.now - started)
        switch grant {
        case .connection(let id):
            // The connection was closed during the handover. Nothing was sent on it, so another one is taken.
            guard let connection = connections[id] else { return try await acquire() }
            return (id, connection)
        case .open(let id): return try await open(id)
        case .refused(let error): throw error
        }
    }

    private func abandon(_ waiter: Int) {
        guard state.abandon(waiter: waiter) else { return }
        refuse(waiter, PostgresError(.cancelled, "cancelled while waiting for a connection"))
    }

    private func refuse(_ waiter: Int, _ error: PostgresError) {
        grant(waiter, .refused(error))
    }

    private func grant(_ waiter: Int, _ grant: Grant) {
        guard let continuation = waiting.removeValue(forKey: waiter) else { return earlyGrants[waiter] = grant }
        continuation.resume(returning: grant)
    }

    // MARK: Timers

    private func startWaitTimer() {
        guard waitTimer == nil else { return }
        waitTimer = Task { await runWaitTimer() }
    }

    private func runWaitTimer() async {
        defer { waitTimer = nil }
        while let deadline = state.earliestDeadline {
            do { try await thread.sleep(until: deadline) } catch { return }
            for waiter in state.expire(now: .now) {
                PostgresMetrics.timedOut()
                let limit = configuration.acquireTimeout
                refuse(
                    waiter,
                    PostgresError(
                        .poolTimeout, "all \(configuration.maximumConnections) connections were busy for \(limit)"))
            }
        }
    }

    private func startReaper() {
        guard reaper == nil, !state.isClosed else { return }
        reaper = Task { [weak self, thread, interval = configuration.idleTimeout / 4] in
            while true {
                do { try await thread.sleep(until: .now + interval) } catch { return }
                guard let self else { return }
                await self.reap()
            }
        }
    }

    private func reap() async {
        let limit = ContinuousClock.now - configuration.idleTimeout
        for id in state.reap(idleBefore: limit, minimum: configuration.minimumConnections) {
            await connections.removeValue(forKey: id)?.close()
        }
    }

    // MARK: State

    /// The round trips of all open connections.
    var exchangeCount: Int {
        get async {
            var count = 0
            for connection in connections.values { count += await connection.exchangeCount }
            return count
        }
    }

    var counts: (total: Int, leased: Int, waiting: Int) { (state.total, state.leased, state.waiters.count) }

    func close() async {
        reaper?.cancel()
        let closing = state.close()
        for waiter in closing.waiters { refuse(waiter, PostgresError(.poolClosed, "the pool is closed")) }
        for id in closing.idle { await connections.removeValue(forKey: id)?.close() }
    }

    // MARK: Exchanges
    // Each runs in one visit to the thread: a caller on another thread pays for every change of threads.

    /// Leases any connection, runs the statement and releases.
    func exchange<Value: Sendable>(
        _ statement: EncodedStatement, _ decode: ResultDecoder<Value>
    ) async throws(PostgresError) -> Value? {
        do {
            let (lease, values) = try await exchange(nil, [statement], decode)
            await release(lease)
            return values.first
        } catch {
            // A single statement commits by itself, and its answer is lost.
            throw error.code == .connectionLost ? error.withUnknownCommit : error
        }
    }

    /// Runs the statements on the leased connection, or leases one for them; on failure a new lease is not kept.
    func exchange<Value: Sendable>(
        _ held: Lease?, _ statements: [EncodedStatement], _ decode: ResultDecoder<Value>
    ) async throws(PostgresError) -> (lease: Lease, values: [Value]) {
        let lease: Lease
        if let held { lease = held } else { lease = try await acquire() }
        do {
            return (lease, try await lease.connection.exchange(statements, decode))
        } catch {
            if held == nil { await settle(lease) }
            throw error
        }
    }

    /// As ``exchange(_:_:_:)`` for statements that end with `COMMIT`; releases the connection after a commit.
    /// - Returns: the lease if it was not released.
    func commit(_ held: Lease?, _ statements: [EncodedStatement]) async throws(PostgresError) -> Lease? {
        let last = statements.count - 1
        let (lease, tags) = try await exchange(held, statements) { index, result in
            index == last ? result.commandTag : nil
        }
        // COMMIT of a transaction that failed unnoticed answers ROLLBACK.
        guard tags.first == "COMMIT" else { return lease }
        await release(lease)
        return nil
    }

    /// Returns a lease after an error: rolls back an open transaction, or closes the connection.
    func settle(_ lease: Lease) async {
        if await lease.connection.isUsable, await !lease.connection.isIdle {
            // Runs in a task of its own, because the caller may be cancelled and the rollback must still happen.
            let rolledBack = await Task {
                do throws(PostgresError) {
                    _ = try await lease.connection.exchange([EncodedStatement(Rollback())], ignoreResult)
                    return true
                } catch {
                    return false
                }
            }.value
            guard rolledBack, await lease.connection.isIdle else { return await discard(lease) }
        }
        await release(lease)
    }
}
