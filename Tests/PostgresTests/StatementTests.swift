import Foundation
import Postgres
import TestKit
import Testing

@Suite("Statements", .timeLimit(.minutes(15)))
struct StatementTests {
    @Test("every type comes back as it went")
    func roundTrip() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let values = Values()
                #expect(try await pool.query(RoundTrip(values: values)) == [values])
            }
        }
    }

    @Test("rows touched are counted, and many rows go in one statement")
    func counts() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                #expect(try await pool.execute(InsertAccounts(ids: Array(1...500))) == 500)
                #expect(try await pool.first(TotalBalance()) == 50_000)
                #expect(try await pool.execute(SetBalance(id: 9999, balance: 1)) == 0)
            }
        }
    }

    @Test("an error names its SQLSTATE, constraint and statement, and its text quotes no values")
    func errors() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                try await pool.execute(InsertAccount(id: 1, owner: "somebody@example.com"))
                let unique = await #expect(throws: PostgresError.self) {
                    try await pool.execute(InsertAccount(id: 2, owner: "somebody@example.com"))
                }
                #expect(unique?.sqlState == .uniqueViolation)
                #expect(unique?.constraint == "accounts_owner_unique")
                #expect(unique?.statement == "InsertAccount")
                #expect(unique?.detail?.contains("somebody@example.com") == true)
                #expect(unique?.description.contains("somebody") == false)
                #expect(unique?.isTransient == false)

                let check = await #expect(throws: PostgresError.self) {
                    try await pool.execute(AddToBalance(id: 1, amount: -1))
                }
                #expect(check?.sqlState == .checkViolation)
                #expect(check?.constraint == "accounts_balance_floor")
                let table = await #expect(throws: PostgresError.self) { try await pool.execute(NotExistingTable()) }
                #expect(table?.sqlState == .undefinedTable)
                // The connection that had the errors goes on.
                #expect(try await pool.first(CountAccounts()) == 1)
            }
        }
    }

    @Test("P10: a string with U+0000 is refused and changes nothing")
    func zeroCharacter() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool { pool async throws in
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.execute(InsertAccount(id: 1, owner: "a\0b"))
                }
                #expect(error?.sqlState?.rawValue == "22021")
                #expect(try await pool.first(CountAccounts()) == 0)
            }
        }
    }

    @Test("a row of another shape than declared is an error, not a crash")
    func wrongShape() async throws {
        struct WrongType: Statement {
            static let sql: SQL = "SELECT 'text' AS label"
            static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
        }
        struct TooFewColumns: Statement {
            static let sql: SQL = "SELECT 1::bigint"
            static func decode(_ row: inout RowReader) throws(PostgresError) -> (Int, Int) {
                (try row.next(), try row.next())
            }
        }
        struct UnexpectedNull: Statement {
            static let sql: SQL = "SELECT NULL::bigint"
            static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
        }
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let type = await #expect(throws: PostgresError.self) { try await pool.query(WrongType()) }
                #expect(type?.code == .decoding)
                let columns = await #expect(throws: PostgresError.self) { _ = try await pool.query(TooFewColumns()) }
                #expect(columns?.code == .decoding)
                let null = await #expect(throws: PostgresError.self) { try await pool.query(UnexpectedNull()) }
                #expect(null?.code == .decoding)
            }
        }
    }

    @Test("a prepared statement survives a change of its table")
    func stalePlan() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) { pool async throws in
                try await pool.execute(InsertAccount(id: 1))
                #expect(try await pool.query(AllOfAccount(id: 1)) == [1])
                try await pool.execute(AddColumn())
                #expect(try await pool.query(AllOfAccount(id: 1)) == [1])
                let inTransaction = try await pool.withTransaction { try await $0.query(AllOfAccount(id: 1)) }
                #expect(inTransaction == [1])
            }
        }
    }

    @Test("COPY brings in many rows, and one bad row leaves none")
    func copy() async throws {
        try await TestDatabase.withDatabase([accountsMigration]) { database in
            try await database.withPool(maximum: 1) { pool async throws in
                let rows = (1...20_000).map { (id: $0, owner: "owner \($0)") }
                #expect(try await pool.withTransaction { try await $0.copy(CopyAccounts.self, rows) } == 20_000)
                #expect(try await pool.first(CountAccounts()) == 20_000)
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withTransaction {
                        try await $0.copy(CopyAccounts.self, [(id: 30_000, owner: "new"), (id: 1, owner: "again")])
                    }
                }
                #expect(error?.sqlState == .uniqueViolation)
                #expect(try await pool.first(CountAccounts()) == 20_000)
            }
        }
    }

    @Test("Q6: a connection that is encrypted is so by TLS 1.3, and a server that speaks 1.2 only is refused")
    func tlsVersion() async throws {
        for version in ["TLSv1.2", "TLSv1.3"] {
            let settings = ["ssl_max_protocol_version": version]
            try await PrivatePostgres.withPrivatePostgres(tls: true, settings: settings) { server in
                let authority = try #require(server.authorityPath)
                let trusting = PostgresConfiguration(dsn: "\(server.url)?sslmode=verify-full&sslrootcert=\(authority)")
                if version == "TLSv1.3" {
                    let connection = try await PostgresConnection.connect(trusting, on: TestThreads.postgres)
                    #expect(await connection.backendPID > 0)
                    await connection.close()
                } else {
                    let error = await #expect(throws: PostgresError.self) {
                        try await PostgresConnection.connect(trusting, on: TestThreads.postgres)
                    }
                    #expect(error?.code == .connectFailed)
                }
            }
        }
    }

    @Test("TLS: verify-full accepts the right authority and refuses a stranger")
    func tls() async throws {
        try await PrivatePostgres.withPrivatePostgres(tls: true) { server in
            let authority = try #require(server.authorityPath)
            let thread = TestThreads.postgres
            let trusting = PostgresConfiguration(dsn: "\(server.url)?sslmode=verify-full&sslrootcert=\(authority)")
            let connection = try await PostgresConnection.connect(trusting, on: thread)
            #expect(await connection.backendPID > 0)
            await connection.close()

            // The server's own certificate is no authority.
            let stranger = authority.replacing("ca.pem", with: "server.pem")
            let doubting = PostgresConfiguration(dsn: "\(server.url)?sslmode=verify-full&sslrootcert=\(stranger)")
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.connect(doubting, on: thread)
            }
            #expect(error?.code == .connectFailed)
        }
    }
}
