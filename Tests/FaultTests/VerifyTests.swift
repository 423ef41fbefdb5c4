import Foundation
import Postgres
import TestKit
import Testing

@Suite("The wallet's check of a running system", .timeLimit(.minutes(15)))
struct VerifyTests {
    @Test("W7: `wallet verify` takes one connection of the server and no right to change anything")
    func oneConnection() async throws {
        try await TestDatabase.withDatabase { database in
            try await WalletProcess.run("migrate", database: database.dsn, broker: "amqp://127.0.0.1:1")
            // Something to look at: wallets with money in them.
            try await WalletProcess.run(
                "measure", ["--accounts", "50", "--seconds", "1"], database: database.dsn, broker: "amqp://127.0.0.1:1")
            try await database.withPool(maximum: 1) { pool in
                #expect(try await pool.first(CountEntries()) ?? 0 >= 100)
                try await pool.execute(MakeReader())
            }
            var parts = try #require(URLComponents(string: database.dsn))
            (parts.user, parts.password) = ("\(database.name)_reader", "reader")
            let reader = try #require(parts.string)
            // The role may have one connection, and a pool of the service's size would ask for six.
            try await WalletProcess.run("verify", database: reader, broker: "amqp://127.0.0.1:1")
            try await database.withPool(maximum: 1) { pool in
                try await pool.execute(TakeReaderAway())
                try await pool.execute(DropReader())
            }
        }
    }
}

private struct MakeReader: Statement {
    static let sql: SQL = """
        DO $$
        DECLARE
            reader text := current_database() || '_reader';
        BEGIN
            EXECUTE format('CREATE ROLE %I LOGIN PASSWORD ''reader'' CONNECTION LIMIT 1', reader);
            EXECUTE format('GRANT USAGE ON SCHEMA wallet TO %I', reader);
            EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA wallet TO %I', reader);
        END
        $$
        """
}

private struct CountEntries: Statement {
    static let sql: SQL = "SELECT count(*) FROM wallet.entries"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct TakeReaderAway: Statement {
    static let sql: SQL =
        "DO $$ BEGIN EXECUTE format('DROP OWNED BY %I', current_database() || '_reader'); END $$"
}

private struct DropReader: Statement {
    static let sql: SQL =
        "DO $$ BEGIN EXECUTE format('DROP ROLE %I', current_database() || '_reader'); END $$"
}
