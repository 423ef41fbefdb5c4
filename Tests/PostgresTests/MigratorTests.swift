@testable import Postgres
import TestKit
import Testing

@Suite("Migrations", .timeLimit(.minutes(15)))
struct MigratorTests {
    private let second = Migration(
        component: "test", version: 2, name: "notes", sql: "ALTER TABLE accounts ADD COLUMN note text;")

    @Test("missing migrations are applied once, in order")
    func once() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let first = Migrator(pool, [accountsMigration], logger: TestThreads.logger)
                #expect(try await first.pending() == [accountsMigration])
                #expect(try await first.migrate() == 1)
                #expect(try await first.migrate() == 0)
                let both = Migrator(pool, [accountsMigration, second], logger: TestThreads.logger)
                #expect(try await both.pending() == [second])
                #expect(try await both.migrate() == 1)
                #expect(try await both.pending() == [])
                // The older program starts beside the newer one.
                #expect(try await first.migrate() == 0)
            }
        }
    }

    @Test("processes that start at once migrate once")
    func concurrent() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            try await Migrator(pool, [accountsMigration, second], logger: TestThreads.logger).migrate()
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts.sorted() == [0, 0, 0, 0, 0, 2])
            }
        }
    }

    @Test("a migration whose text changed after it ran is refused")
    func changed() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                try await Migrator(pool, [accountsMigration], logger: TestThreads.logger).migrate()
                let other = Migration(component: "test", version: 1, name: "accounts", sql: "SELECT 1;")
                await #expect(throws: MigrationError.changed(["test/1_accounts"])) {
                    try await Migrator(pool, [other], logger: TestThreads.logger).migrate()
                }
            }
        }
    }

    @Test("a migration that fails leaves nothing of itself and keeps those before it")
    func failing() async throws {
        let broken = Migration(
            component: "test", version: 2, name: "broken", sql: "CREATE TABLE half (id int); SELECT 1/0;")
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let error = await #expect(throws: MigrationError.self) {
                    try await Migrator(pool, [accountsMigration, broken], logger: TestThreads.logger).migrate()
                }
                guard case .failed("test/2_broken", let cause) = error else {
                    Issue.record("another error: \(String(describing: error))")
                    return
                }
                #expect(cause.sqlState?.rawValue == "22012")
                #expect(try await pool.first(CountAccounts()) == 0)
                #expect(
                    try await Migrator(pool, [accountsMigration, broken], logger: TestThreads.logger).pending() == [
                        broken
                    ])
            }
        }
    }

    @Test("versions with a gap are refused before anything runs")
    func gap() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                await #expect(throws: MigrationError.notConsecutive(component: "test")) {
                    try await Migrator(pool, [second], logger: TestThreads.logger).migrate()
                }
            }
        }
    }

    @Test("Q2: a migration that waits for a long reader lets others pass, and is done when the reader is")
    func longReader() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                let migrating = try await pool.withTransaction(.readOnly) { reader in
                    _ = try await reader.first(CountAccounts())
                    let migrating = Task { [second] in
                        try await Migrator(
                            pool, [accountsMigration, second], lockTimeout: .milliseconds(300),
                            logger: TestThreads.logger
                        ).migrate()
                    }
                    for _ in 0..<5 {
                        // A transaction that is idle for too long is ended, which on a busy machine comes soon.
                        _ = try await reader.first(CountAccounts())
                        try await eventually("it waits for its lock") { try await pool.first(IsLockAwaited()) == true }
                        // Behind it, for as long as it waits.
                        let began = ContinuousClock.now
                        try await pool.execute(TouchAccounts())
                        #expect(.now - began < .seconds(10))
                    }
                    #expect(try await pool.first(HasNote()) == false)
                    return migrating
                }
                #expect(try await migrating.value == 1)
                #expect(try await pool.first(HasNote()) == true)
            }
        }
    }

    private static func outside(_ sql: String) -> Migration {
        Migration(component: "test", version: 2, name: "outside", sql: "\(Migration.outsideMark), for tests.\n\(sql)")
    }

    @Test("Q2: an index is built while others write, and processes that wait for their turn do not hold it up")
    func concurrently() async throws {
        let index = Self.outside(
            """
            DROP INDEX CONCURRENTLY IF EXISTS accounts_lower;
            CREATE INDEX CONCURRENTLY accounts_lower ON accounts (lower(owner));
            """)
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 6) { pool async throws in
                let migrating = try await pool.withTransaction { writer in
                    _ = try await writer.execute(InsertAccount(id: 1, owner: "A", balance: 1))
                    let migrating = (0..<2).map { _ in
                        Task {
                            try await Migrator(
                                pool, [accountsMigration, index], lockTimeout: .milliseconds(100),
                                logger: TestThreads.logger
                            ).migrate()
                        }
                    }
                    try await eventually("the index waits for the writer") {
                        try await pool.first(FindIndex(name: "accounts_lower")) == false
                    }
                    for id in 2...20 {
                        try await pool.execute(InsertAccount(id: id, owner: "B\(id)", balance: 1))
                    }
                    return migrating
                }
                var counts: [Int] = []
                for task in migrating { counts.append(try await task.value) }
                #expect(counts.sorted() == [0, 1])
                #expect(try await pool.first(FindIndex(name: "accounts_lower")) == true)
            }
        }
    }

    @Test("Q2: an index whose building was broken off is built anew")
    func brokenOff() async throws {
        let index = Self.outside(
            """
            DROP INDEX CONCURRENTLY IF EXISTS accounts_one;
            CREATE UNIQUE INDEX CONCURRENTLY accounts_one ON accounts (balance);
            """)
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                for id in 1...2 { try await pool.execute(InsertAccount(id: id, owner: "\(id)", balance: 7)) }
                let migrator = Migrator(pool, [accountsMigration, index], logger: TestThreads.logger)
                await #expect(throws: MigrationError.self) { try await migrator.migrate() }
                #expect(try await pool.first(FindIndex(name: "accounts_one")) == false)
                try await pool.execute(TouchAccounts())
                #expect(try await migrator.migrate() == 1)
                #expect(try await pool.first(FindIndex(name: "accounts_one")) == true)
            }
        }
    }

    @Test(
        "Q2: outside a transaction nothing may run that others would wait behind, or that could not run again",
        arguments: [
            "ALTER TABLE accounts ADD COLUMN other text", "UPDATE accounts SET balance = 1",
            "CREATE INDEX CONCURRENTLY accounts_other ON accounts (owner)", "DROP INDEX accounts_balance",
            "CREATE INDEX accounts_other ON accounts (owner)", "ALTER TABLE accounts ADD CONSTRAINT x CHECK (true)",
        ])
    func refusedOutside(statement: String) async throws {
        let migration = Self.outside("ANALYZE accounts;\nALTER TABLE accounts VALIDATE CONSTRAINT x;\n\(statement);")
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                await #expect(
                    throws: MigrationError.notForOutside(migration: "test/2_outside", statement: statement)
                ) {
                    try await Migrator(pool, [accountsMigration, migration], logger: TestThreads.logger).migrate()
                }
                let first = Migrator(pool, [accountsMigration], logger: TestThreads.logger)
                #expect(try await first.pending() == [accountsMigration])
            }
        }
    }
}

private struct IsLockAwaited: Statement {
    static let sql: SQL = """
        SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'accounts'::regclass AND NOT granted
            AND mode = 'AccessExclusiveLock')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

private struct HasNote: Statement {
    static let sql: SQL = """
        SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'accounts'::regclass AND attname = 'note')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

private struct TouchAccounts: Statement {
    static let sql: SQL = "UPDATE accounts SET balance = id"
}

/// Whether the index is valid; no row where there is none.
private struct FindIndex: Statement {
    static let sql: SQL = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
