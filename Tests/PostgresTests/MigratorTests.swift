import Postgres
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
}
