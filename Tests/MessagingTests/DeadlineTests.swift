import Foundation
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("Deadlines", .timeLimit(.minutes(15)))
struct DeadlineTests {
    private struct Broken: Error {}

    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(TwoServices.migrations) { database in
            try await database.withPool(maximum: 8) { try await body($0) }
        }
    }

    private func runner(_ pool: PostgresPool, _ operation: @escaping DeadlineRunner.Operation) -> DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: ["test": operation], logger: TestThreads.logger)
    }

    private let record: DeadlineRunner.Operation = { deadline, transaction in
        transaction.send(
            InsertEffect(name: deadline.subject, number: Int(Date().timeIntervalSince(deadline.dueAt) * 1000)))
    }

    @Test("O12: a deadline fires once, however many processes watch, and soon after it is due")
    func once() async throws {
        try await withPool { pool in
            let runners = (0..<4).map { _ in runner(pool, record) }
            try await whileRunning(runners.map { runner in { try await runner.run() } }) {
                try await pool.withTransaction { transaction in
                    for number in 0..<100 {
                        let due = Date() + Double(number % 10) * 0.05
                        transaction.set(Deadline(kind: "test", subject: "order \(number)", dueAt: due))
                    }
                }
                try await eventually("all have fired") { try await pool.query(Effects()).count >= 100 }
                let effects = try await pool.query(Effects())
                #expect(effects.count == 100)
                #expect(Set(effects.map(\.name)).count == 100)
                #expect(effects.allSatisfy { $0.number >= 0 })
            }
        }
    }

    @Test("O12: what became due while every process was down fires once on return")
    func whileDown() async throws {
        try await withPool { pool in
            try await pool.withTransaction { $0.set(Deadline(kind: "test", subject: "a", dueAt: Date() - 3600)) }
            let one = runner(pool, record)
            let two = runner(pool, record)
            try await whileRunning([{ try await one.run() }, { try await two.run() }]) {
                try await eventually("it has fired") { try await pool.query(Effects()).count >= 1 }
                try await eventually("nothing is left") { try await pool.first(DeadlineCount()) == 0 }
                #expect(try await pool.query(Effects()).count == 1)
            }
        }
    }

    @Test("O12: deadlines that are late are counted, with how late the oldest is; those to come are not")
    func late() async throws {
        try await withPool { pool in
            #expect(try await pool.first(LateDeadlines())?.count == 0)
            try await pool.withTransaction { transaction in
                transaction.set(Deadline(kind: "test", subject: "long ago", dueAt: Date() - 3600))
                transaction.set(Deadline(kind: "test", subject: "a while ago", dueAt: Date() - 60))
                transaction.set(Deadline(kind: "test", subject: "later", dueAt: Date() + 60))
            }
            let late = try #require(try await pool.first(LateDeadlines()))
            #expect(late.count == 2)
            #expect((3_590...3_700).contains(late.oldestSeconds))
        }
    }

    @Test("a cleared deadline does not fire, and a replaced one fires at its new time")
    func cleared() async throws {
        try await withPool { pool in
            try await pool.withTransaction { transaction in
                transaction.set(Deadline(kind: "test", subject: "cleared", dueAt: Date() - 1))
                transaction.set(Deadline(kind: "test", subject: "replaced", dueAt: Date() - 1))
                transaction.set(Deadline(kind: "test", subject: "replaced", dueAt: Date() + 3600))
                transaction.set(Deadline(kind: "test", subject: "kept", dueAt: Date() - 1))
                transaction.clearDeadline(kind: "test", subject: "cleared")
            }
            let runner = runner(pool, record)
            try await whileRunning([{ try await runner.run() }]) {
                try await eventually("the kept one has fired") {
                    try await pool.query(Effects()).map(\.name) == ["kept"]
                }
                #expect(try await pool.first(DeadlineCount()) == 1)
            }
        }
    }

    private struct FillDeadlines: Statement {
        static let sql: SQL = """
            INSERT INTO deadlines (kind, subject, due_at)
            SELECT 'test', n::text, now() + make_interval(mins => n) FROM generate_series(1, 20000) AS n
            """
    }

    private struct Analyze: Statement { static let sql: SQL = "ANALYZE deadlines" }

    /// As ``TakeDueDeadlines`` looks for them.
    private struct ExplainDue: Statement {
        static let sql: SQL = """
            EXPLAIN SELECT kind, subject FROM deadlines
            WHERE due_at <= statement_timestamp() AND kind = ANY (ARRAY['test'])
            ORDER BY due_at LIMIT 50 FOR UPDATE SKIP LOCKED
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    @Test("Q5: what is due is found by its time alone, however many deadlines wait")
    func plan() async throws {
        #expect("\(TakeDueDeadlines.sql)".contains("WHERE due_at <= statement_timestamp() AND kind = ANY ($1)"))
        try await withPool { pool in
            try await pool.execute(FillDeadlines())
            try await pool.execute(Analyze())
            let plan = try await pool.query(ExplainDue())
            #expect(plan.contains { $0.contains("Index Cond: (due_at <= statement_timestamp())") }, "\(plan)")
        }
    }

    @Test("O12: the beginning is searched again within ten seconds, however long a search waited for its turn")
    func floor() {
        var floor = DeadlineFloor()
        let now = ContinuousClock.now
        for (took, pause) in [(0.0, 1.0), (0.1, 5.0), (2.0, 10.0), (60.0, 10.0)] {
            floor.looked(nil, from: now - .seconds(took), to: now)
            #expect(now.duration(to: floor.nextLook) == .seconds(pause), "\(took)")
        }
    }

    @Test("a deadline whose handler fails stays and comes again; the others fire")
    func failing() async throws {
        try await withPool { pool in
            try await pool.withTransaction { transaction in
                for subject in ["a", "broken", "c"] {
                    transaction.set(Deadline(kind: "test", subject: subject, dueAt: Date() - 1))
                }
            }
            let runner = runner(pool) { deadline, transaction in
                if deadline.subject == "broken" && deadline.attempts == 0 { throw Broken() }
                transaction.send(InsertEffect(name: deadline.subject, number: deadline.attempts))
            }
            try await whileRunning([{ try await runner.run() }]) {
                try await eventually("the others have fired") {
                    Set(try await pool.query(Effects()).map(\.name)).isSuperset(of: ["a", "c"])
                }
                try await eventually("the broken one comes again") {
                    try await pool.query(Effects()).contains(Effect(name: "broken", number: 1))
                }
            }
        }
    }

    @Test("a deadline of a kind that this process does not know is left for those that do")
    func unknownKind() async throws {
        try await withPool { pool in
            try await pool.withTransaction { transaction in
                transaction.set(Deadline(kind: "later version", subject: "a", dueAt: Date() - 1))
                transaction.set(Deadline(kind: "test", subject: "b", dueAt: Date() - 1))
            }
            let runner = runner(pool, record)
            try await whileRunning([{ try await runner.run() }]) {
                try await eventually("the known one has fired") { try await pool.query(Effects()).map(\.name) == ["b"] }
                #expect(try await pool.first(DeadlineCount()) == 1)
            }
        }
    }
}

private struct DeadlineCount: Statement {
    static let sql: SQL = "SELECT count(*) FROM deadlines"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
