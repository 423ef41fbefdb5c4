import Postgres
import TestKit
import Testing

@Suite("What is done right before a commit", .timeLimit(.minutes(15)))
struct ParticipantTests {
    /// Writes at the very end what it was given.
    private final class Last: CommitParticipant {
        var numbers: [Int] = []
        var goesLast: Bool { true }
        func willCommit(_ transaction: PostgresTransaction) {
            for number in numbers { transaction.send(InsertNumber(number: number)) }
        }
    }

    /// Asks the database and gives the answer to the other one.
    private final class Asking: CommitParticipant {
        func willCommit(_ transaction: PostgresTransaction) async throws {
            let count = try await transaction.first(CountNumbers()) ?? 0
            transaction.participant(Last.self) { Last() }.numbers.append(100 + count)
        }
    }

    private struct Refused: Error {}
    private final class Refusing: CommitParticipant {
        func willCommit(_: PostgresTransaction) throws { throw Refused() }
    }

    @Test("a participant may ask the database, and give something to one that goes last, whichever was made first")
    func asking() async throws {
        for isLastFirst in [true, false] {
            try await withNumbers { pool in
                try await pool.withTransaction { transaction in
                    transaction.send(InsertNumber(number: 1))
                    if isLastFirst { transaction.participant(Last.self) { Last() }.numbers.append(50) }
                    _ = transaction.participant(Asking.self) { Asking() }
                }
                #expect(try await pool.query(ListNumbers()) == (isLastFirst ? [1, 50, 101] : [1, 101]))
            }
        }
    }

    @Test("what a participant throws undoes the transaction")
    func refusing() async throws {
        try await withNumbers { pool in
            await #expect(throws: Refused.self) {
                try await pool.withTransaction { transaction in
                    try await transaction.execute(InsertNumber(number: 1))
                    _ = transaction.participant(Refusing.self) { Refusing() }
                }
            }
            let numbers = try await pool.query(ListNumbers())
            #expect(numbers.isEmpty)
            #expect(await pool.counts.leased == 0)
        }
    }

    private func withNumbers(_ body: (PostgresPool) async throws -> Void) async throws {
        let migration = Migration(
            component: "test", version: 1, name: "numbers", sql: "CREATE TABLE numbers (number bigint NOT NULL)")
        try await TestDatabase.withDatabase([migration]) { try await $0.withPool { try await body($0) } }
    }
}

private struct InsertNumber: Statement {
    static let sql: SQL = "INSERT INTO numbers (number) VALUES ($1)"
    let number: Int
    func bind(_ bindings: inout Bindings) { bindings.append(number) }
}

private struct CountNumbers: Statement {
    static let sql: SQL = "SELECT count(*) FROM numbers"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct ListNumbers: Statement {
    static let sql: SQL = "SELECT number FROM numbers ORDER BY number"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
