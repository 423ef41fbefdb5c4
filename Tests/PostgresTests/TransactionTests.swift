@testable import Postgres
import Locks
import TestKit
import Testing

@Suite("Transactions", .timeLimit(.minutes(15)))
struct TransactionTests {
    private struct Refused: Error {}

    @Test("what a body throws takes everything back")
    func rollback() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                await #expect(throws: Refused.self) {
                    try await pool.withTransaction { transaction in
                        try await transaction.execute(InsertAccount(id: 1))
                        transaction.send(InsertAccount(id: 2))
                        throw Refused()
                    }
                }
                #expect(try await pool.first(CountAccounts()) == 0)
            }
        }
    }

    @Test("statements whose rows nobody asks for go out with the commit, in one round trip")
    func oneRoundTrip() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            let connection = try await PostgresConnection.connect(database.configuration(), on: TestThreads.postgres)
            await connection.close()
            try await database.withPool(maximum: 1) { pool async throws in
                _ = try await pool.first(CountAccounts())
                let before = await pool.connections.exchangeCount
                try await pool.withTransaction { transaction in
                    for id in 1...50 { transaction.send(InsertAccount(id: id)) }
                }
                #expect(await pool.connections.exchangeCount == before + 1)
                #expect(try await pool.first(CountAccounts()) == 50)
            }
        }
    }

    @Test("several statements give their rows from one round trip")
    func queryAll() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                let (balance, owner, count) = try await pool.withTransaction { transaction in
                    transaction.send(InsertAccount(id: 7, owner: "Mariam", balance: 5))
                    return try await transaction.queryAll(AddToBalance(id: 7, amount: 3), Owner(id: 7), CountAccounts())
                }
                #expect(balance == [8])
                #expect(owner == ["Mariam"])
                #expect(count == [1])
            }
        }
    }

    @Test("a condition goes out with what is asked after it, and nothing stands where it does not hold")
    func conditions() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) { pool async throws in
                _ = try await pool.first(CountAccounts())
                let before = await pool.connections.exchangeCount
                let count = try await pool.withTransaction { transaction in
                    transaction.require(CountAccounts()) { $0 == [0] }
                    transaction.send(InsertAccount(id: 1))
                    return try await transaction.first(CountAccounts())
                }
                #expect(count == 1)
                #expect(await pool.connections.exchangeCount == before + 2)
                try await expectDeclined { try await declining(pool) { _ = try await $0.first(CountAccounts()) } }
                // Where nothing is asked after it, it is looked at before the commit.
                try await expectDeclined { try await declining(pool) { _ in } }
                #expect(try await pool.first(CountAccounts()) == 1)
            }
        }
    }

    private func declining(_ pool: PostgresPool, _ rest: (PostgresTransaction) async throws -> Void) async throws {
        try await pool.withTransaction { transaction in
            transaction.require(CountAccounts()) { $0 == [0] }
            transaction.send(InsertAccount(id: 2))
            try await rest(transaction)
        }
    }

    private func expectDeclined(_ work: () async throws -> Void) async throws {
        do {
            try await work()
            Issue.record("nothing was declined")
        } catch let error as PostgresError {
            #expect(error.code == .declined)
        }
    }

    @Test("an error that the body ignores still prevents the commit")
    func ignoredError() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) { pool async throws in
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withTransaction { transaction in
                        try await transaction.execute(InsertAccount(id: 1))
                        do { try await transaction.execute(InsertAccount(id: 1)) } catch is PostgresError {}
                    }
                }
                #expect(error?.code == .transactionFailed)
                #expect(try await pool.first(CountAccounts()) == 0)
            }
        }
    }

    @Test("a transaction that asks nothing of the database does not need one")
    func nothing() async throws {
        let configuration = PostgresPool.Configuration(PostgresConfiguration(dsn: "postgres://nobody@127.0.0.1:1/none"))
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        #expect(try await pool.withTransaction { _ in 7 } == 7)
    }

    @Test("two transactions that deadlock both succeed in the end")
    func deadlock() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                try await pool.execute(InsertAccounts(ids: [1, 2]))
                let attempts = Mutex(0)
                let bothHaveOne = Barrier(2)
                let move: @Sendable (Int, Int) async throws -> Void = { from, to in
                    try await pool.withTransaction { transaction in
                        attempts.withLock { $0 += 1 }
                        try await transaction.execute(AddToBalance(id: from, amount: -1))
                        await bothHaveOne.arriveOnce(from)
                        try await transaction.execute(AddToBalance(id: to, amount: 1))
                    }
                }
                let one = Task { try await move(1, 2) }
                try await move(2, 1)
                try await one.value
                #expect(attempts.withLock { $0 } >= 3)
                #expect(try await pool.first(TotalBalance()) == 200)
            }
        }
    }

    @Test("serializable transactions that meet are tried again until each has happened once")
    func serializable() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 4, { $0.maximumAttempts = 50 }) { pool async throws in
                try await pool.execute(InsertAccount(id: 1))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<20 {
                                try await pool.withTransaction(.serializable) { transaction in
                                    let balance = try await transaction.first(BalanceOf(id: 1)) ?? 0
                                    try await transaction.execute(SetBalance(id: 1, balance: balance + 1))
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await pool.first(BalanceOf(id: 1)) == 80)
            }
        }
    }

    @Test("a session ended by the server between two statements is an attempt, and the next one succeeds")
    func terminatedOnce() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                let attempts = Mutex(0)
                try await pool.withTransaction { transaction in
                    let attempt = attempts.withLock { count in
                        count += 1
                        return count
                    }
                    try await transaction.execute(InsertAccount(id: 1))
                    if attempt == 1 { try await database.terminateAllSessions() }
                    try await transaction.execute(InsertAccount(id: 2))
                }
                #expect(attempts.withLock { $0 } == 2)
                #expect(try await pool.first(CountAccounts()) == 2)
            }
        }
    }

    @Test("a connection that ends after COMMIT was sent leaves the outcome unknown, and says so")
    func commitUnknown() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await FaultProxy.withFaultProxy(to: database.dsn) { proxy in
                let behind = TestDatabase(dsn: proxy.url(rewriting: database.dsn), name: database.name)
                try await behind.withPool(maximum: 1) { pool async throws in
                    let error = await #expect(throws: PostgresError.self) {
                        try await pool.withTransaction { transaction in
                            try await transaction.execute(InsertAccount(id: 1))
                            await proxy.stall()
                            Task {
                                try await eventually("the commit is on its way") {
                                    await pool.connections.exchangeCount >= 2
                                }
                                await proxy.cutAll()
                            }
                        }
                    }
                    #expect(error?.code == .commitUnknown)
                    #expect(error?.isTransient == false)
                }
            }
        }
    }

    @Test("ten thousand statements with large answers pass in one pipeline without blocking")
    func longPipeline() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) { pool async throws in
                let last = try await pool.withTransaction { transaction in
                    for _ in 0..<10_000 { transaction.send(LargeText(length: 4000)) }
                    return try await transaction.first(LargeText(length: 9_000_000))
                }
                #expect(last?.utf8.count == 9_000_000)
            }
        }
    }
}

/// Lets tasks go on together: each arrival of the first `count` names waits for the others, later ones do not.
private actor Barrier {
    private let count: Int
    private var arrived: Set<Int> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { self.count = count }

    func arriveOnce(_ name: Int) async {
        guard arrived.insert(name).inserted else { return }
        if arrived.count < count { return await withCheckedContinuation { waiting.append($0) } }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
