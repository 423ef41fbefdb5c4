import TestKit
import Testing

@Suite("What a service's program misses in its database", .timeLimit(.minutes(5)))
struct MissingMigrationTests {
    @Test("Q2: `migrate --check` names the migrations that are missing, ends with 3, and applies none")
    func check() async throws {
        try await TestDatabase.withDatabase { database in
            let environment = ["SERAI_DATABASE_URL": database.dsn, "SERAI_LOG_LEVEL": "error"]
            for _ in 0..<2 {
                let failed = await #expect(throws: Program.Failed.self) {
                    try await Program.run("wallet", ["migrate", "--check"], environment: environment)
                }
                #expect(failed?.exitCode == 3)
                #expect(failed?.log.contains("wallet/") == true)
            }
            try await Program.run("wallet", ["migrate"], environment: environment)
            #expect(try await Program.run("wallet", ["migrate", "--check"], environment: environment).isEmpty)
        }
    }
}
