@testable import Postgres
import TestKit
import Testing

@Suite("PoolState")
struct PoolStateTests {
    private let start = ContinuousClock.now

    @Test("opens up to its maximum, then lets callers wait in order")
    func order() {
        var state = PoolState(maximum: 2)
        #expect(state.acquire(waitUntil: start) == .open(1))
        #expect(state.acquire(waitUntil: start) == .open(2))
        #expect(state.acquire(waitUntil: start) == .wait(waiter: 1))
        #expect(state.acquire(waitUntil: start) == .wait(waiter: 2))
        #expect(state.release(1, now: start) == .handOver(waiter: 1))
        #expect(state.release(2, now: start) == .handOver(waiter: 2))
        #expect(state.release(1, now: start) == .keep)
        #expect(state.acquire(waitUntil: start) == .use(1))
    }

    @Test("a lost connection's place goes to the first waiter")
    func lost() {
        var state = PoolState(maximum: 1)
        #expect(state.acquire(waitUntil: start) == .open(1))
        #expect(state.acquire(waitUntil: start) == .wait(waiter: 1))
        let next = state.lost()
        #expect(next?.waiter == 1)
        #expect(next?.open == 2)
        let none = state.lost()
        #expect(none == nil)
        #expect(state.total == 0)
    }

    @Test("waiters expire at their deadline, and an abandoned one gets nothing")
    func expiry() {
        var state = PoolState(maximum: 1)
        _ = state.acquire(waitUntil: start)
        _ = state.acquire(waitUntil: start + .seconds(1))
        _ = state.acquire(waitUntil: start + .seconds(2))
        #expect(state.earliestDeadline == start + .seconds(1))
        #expect(state.expire(now: start + .seconds(1)) == [1])
        let first = state.abandon(waiter: 2)
        let again = state.abandon(waiter: 2)
        #expect(first && !again)
        #expect(state.release(1, now: start) == .keep)
    }

    @Test("reaps the coldest first and keeps its minimum")
    func reap() {
        var state = PoolState(maximum: 3)
        for _ in 0..<3 { _ = state.acquire(waitUntil: start) }
        for id in 1...3 { _ = state.release(id, now: start + .seconds(id)) }
        #expect(state.reap(idleBefore: start + .seconds(2), minimum: 1) == [1, 2])
        #expect(state.reap(idleBefore: start + .seconds(9), minimum: 1) == [])
    }

    @Test("closed, it refuses, and lent connections close when they come back")
    func close() {
        var state = PoolState(maximum: 2)
        _ = state.acquire(waitUntil: start)
        let closing = state.close()
        #expect(closing.idle.isEmpty)
        #expect(state.acquire(waitUntil: start) == .refuse)
        #expect(state.release(1, now: start) == .close)
        #expect(state.total == 0)
    }
}

@Suite("Pool", .timeLimit(.minutes(15)))
struct PoolTests {
    @Test("more callers than connections all get their turn")
    func manyCallers() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 3) { pool async throws in
                try await pool.execute(InsertAccount(id: 1))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 {
                        group.addTask { for _ in 0..<10 { try await pool.execute(AddToBalance(id: 1, amount: 1)) } }
                    }
                    try await group.waitForAll()
                }
                #expect(try await pool.first(BalanceOf(id: 1)) == 640)
                let counts = await pool.counts
                #expect(counts.total <= 3)
                #expect(counts.leased == 0)
            }
        }
    }

    @Test("a connection handed to a waiter is never lost, however many wait")
    func handOver() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1) { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask { for _ in 0..<200 { _ = try await pool.query(BackendPID()) } }
                    }
                    try await group.waitForAll()
                }
                let counts = await pool.counts
                #expect(counts.leased == 0 && counts.waiting == 0)
            }
        }
    }

    @Test("an exhausted pool lets the caller wait, then says clearly why it gives up")
    func exhausted() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1, { $0.acquireTimeout = .milliseconds(100) }) { pool async throws in
                let busy = Task { try await pool.query(SleepSeconds(seconds: 60)) }
                try await eventually("the only connection is lent") { await pool.counts.leased == 1 }
                let error = await #expect(throws: PostgresError.self) { try await pool.query(BackendPID()) }
                #expect(error?.code == .poolTimeout)
                #expect(error?.message.contains("all 1 connections were busy") == true)
                busy.cancel()
                _ = await busy.result
                #expect(try await pool.query(BackendPID()).count == 1)
            }
        }
    }

    @Test("a caller cancelled while waiting leaves the queue")
    func cancelledWaiter() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1) { pool async throws in
                let busy = Task { try await pool.query(SleepSeconds(seconds: 60)) }
                try await eventually("the only connection is lent") { await pool.counts.leased == 1 }
                let waiting = Task { try await pool.query(BackendPID()) }
                try await eventually("the second waits") { await pool.counts.waiting == 1 }
                waiting.cancel()
                let error = await #expect(throws: PostgresError.self) { try await waiting.value }
                #expect(error?.code == .cancelled)
                #expect(await pool.counts.waiting == 0)
                busy.cancel()
                _ = await busy.result
            }
        }
    }

    @Test("cancelling the task cancels the query on the server and keeps the connection")
    func cancellation() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1) { pool async throws in
                try await database.withPool(maximum: 1) { observer in
                    let before = try await pool.first(BackendPID())
                    let sleeping = Task { try await pool.query(SleepSeconds(seconds: 60)) }
                    try await eventually("the statement runs") { try await observer.first(SleepingSessions()) == 1 }
                    sleeping.cancel()
                    let error = await #expect(throws: PostgresError.self) { try await sleeping.value }
                    #expect(error?.code == .cancelled)
                    #expect(try await observer.first(SleepingSessions()) == 0)
                    #expect(try await pool.first(BackendPID()) == before)
                }
            }
        }
    }

    @Test("cancelled at any moment, a statement never harms the next one on its connection")
    func cancellationStorm() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 2) { pool async throws in
                try await pool.execute(InsertAccount(id: 1))
                for round in 0..<150 {
                    let task = Task {
                        try await pool.withTransaction { transaction in
                            try await transaction.execute(AddToBalance(id: 1, amount: 1))
                            _ = try await transaction.query(SleepSeconds(seconds: 0.001))
                        }
                    }
                    for _ in 0..<(round % 40) { await Task.yield() }
                    task.cancel()
                    // Cancelled or done, either is right; the next statement must not notice.
                    _ = await task.result
                    #expect(try await pool.query(BalanceOf(id: 1)).count == 1)
                }
                #expect(await pool.counts.leased == 0)
            }
        }
    }

    @Test("a cancelled statement of a server that fell silent ends within its limit, and gives its connection back")
    func silentCancellation() async throws {
        try await TestDatabase.withDatabase { database in
            try await FaultProxy.withFaultProxy(to: database.dsn) { proxy in
                let behind = TestDatabase(dsn: proxy.url(rewriting: database.dsn), name: database.name)
                try await behind.withPool(maximum: 1, { $0.connection.statementTimeout = .milliseconds(100) }) {
                    pool async throws in
                    #expect(try await pool.query(BackendPID()).count == 1)
                    // The request to cancel gets no answer either.
                    await proxy.stall()
                    let asking = Task { try await pool.query(SleepSeconds(seconds: 60)) }
                    try await eventually("the only connection is lent") { await pool.counts.leased == 1 }
                    asking.cancel()
                    let error = await #expect(throws: PostgresError.self) { try await asking.value }
                    #expect(error?.isOutage == true)
                    #expect(await pool.counts.leased == 0)
                    await proxy.cutAll()
                    await proxy.resume()
                    #expect(try await pool.query(BackendPID()).count == 1)
                }
            }
        }
    }

    @Test("a statement over its time limit ends with the server's word, not as a cancellation")
    func statementTimeout() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1, { $0.connection.statementTimeout = .milliseconds(50) }) {
                pool async throws in
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.query(SleepSeconds(seconds: 60))
                }
                #expect(error?.code == .server)
                #expect(error?.sqlState == .queryCanceled)
            }
        }
    }

    @Test("sessions that the server ended while idle are replaced unnoticed")
    func deadIdleSessions() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 2) { pool async throws in
                let before = try await pool.first(BackendPID())
                try await database.terminateAllSessions()
                let after = try await pool.first(BackendPID())
                #expect(after != nil)
                #expect(after != before)
            }
        }
    }

    @Test("idle connections are closed down to the minimum")
    func idleReap() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 4, { $0.idleTimeout = .milliseconds(40) }) { pool async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { _ = try await pool.query(SleepSeconds(seconds: 0.02)) } }
                    try await group.waitForAll()
                }
                try await eventually("one connection is left") { await pool.counts.total == 1 }
            }
        }
    }

    @Test("an unreachable server is an error at once, not a wait")
    func unreachable() async throws {
        let configuration = PostgresPool.Configuration(PostgresConfiguration(dsn: "postgres://nobody@127.0.0.1:1/none"))
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        let error = await #expect(throws: PostgresError.self) { try await pool.query(BackendPID()) }
        #expect(error?.code == .connectFailed)
        #expect(error?.isOutage == true)
        #expect(await pool.counts.total == 0)
    }

    @Test("a server that accepts and then says nothing is given up after the connect timeout")
    func silentServer() async throws {
        try await TestDatabase.withDatabase { database in
            try await FaultProxy.withFaultProxy(to: database.dsn) { proxy in
                await proxy.stall()
                var configuration = PostgresConfiguration(dsn: proxy.url(rewriting: database.dsn))
                configuration.connectTimeout = .milliseconds(200)
                let error = await #expect(throws: PostgresError.self) {
                    try await PostgresConnection.connect(configuration, on: TestThreads.postgres)
                }
                #expect(error?.code == .connectFailed)
            }
        }
    }
}
