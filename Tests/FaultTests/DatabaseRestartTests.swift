import Postgres
import Synchronization
import TestKit
import Testing

private struct CreateMarks: Statement { static let sql: SQL = "CREATE TABLE marks (number bigint)" }

private struct InsertMark: Statement {
    static let sql: SQL = "INSERT INTO marks (number) VALUES ($1)"
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(number) }
}

private struct Marks: Statement {
    static let sql: SQL = "SELECT number FROM marks ORDER BY number"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

@Suite("Database restarts", .timeLimit(.minutes(15)))
struct DatabaseRestartTests {
    @Test("a database killed and started in the middle of a transaction: it happens once, on another connection")
    func middle() async throws {
        try await PrivatePostgres.withPrivatePostgres { server in
            let database = TestDatabase(dsn: server.url, name: "postgres")
            try await database.withPool { pool in
                try await Migrator(pool, [], logger: TestThreads.logger).migrate()
                try await pool.execute(CreateMarks())
                let attempts = Mutex(0)
                try await pool.withTransaction { transaction in
                    let attempt = attempts.withLock { count in
                        count += 1
                        return count
                    }
                    try await transaction.execute(InsertMark(number: 1))
                    if attempt == 1 {
                        try await server.kill()
                        try await server.start()
                    }
                    try await transaction.execute(InsertMark(number: 2))
                }
                #expect(attempts.withLock { $0 } == 2)
                #expect(try await pool.query(Marks()) == [1, 2])
            }
        }
    }

    @Test("while the database is down every call is an error that says so, and afterwards all is well")
    func down() async throws {
        try await PrivatePostgres.withPrivatePostgres { server in
            let database = TestDatabase(dsn: server.url, name: "postgres")
            try await database.withPool { pool in
                _ = try await pool.execute(CreateMarks())
                try await server.kill()
                for _ in 0..<20 {
                    let error = await #expect(throws: PostgresError.self) { try await pool.query(Marks()) }
                    #expect(error?.isOutage == true)
                }
                try await server.start()
                try await eventually("it answers again") { try await pool.query(Marks()).isEmpty }
                let counts = await pool.counts
                #expect(counts.leased == 0 && counts.waiting == 0)
            }
        }
    }
}
