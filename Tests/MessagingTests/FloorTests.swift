import Foundation
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("Floors", .timeLimit(.minutes(15)))
struct FloorTests {
    @Test("the floor rises to the lowest number that waits, and only past transactions that have ended")
    func rises() {
        var floor = OutboxFloor()
        floor.look(highest: 10, writers: [], lowest: nil)
        #expect(floor.number == 11)
        // The transactions a and b may have drawn 11 to 20.
        floor.look(highest: 20, writers: ["a", "b"], lowest: nil)
        #expect(floor.number == 11)
        floor.look(highest: 30, writers: ["b", "c"], lowest: nil)
        #expect(floor.number == 11)
        // Both have ended, and one has left 15.
        floor.look(highest: 30, writers: ["c"], lowest: 15)
        #expect(floor.number == 15)
        floor.look(highest: 30, writers: ["d"], lowest: nil)
        #expect(floor.number == 15)
        floor.look(highest: 40, writers: [], lowest: 33)
        #expect(floor.number == 33)
        // It never falls.
        floor.look(highest: 32, writers: [], lowest: nil)
        #expect(floor.number == 33)
    }

    /// Holds a snapshot, as a dump does, while `body` runs.
    private func withSnapshot(_ database: TestDatabase, _ body: () async throws -> Void) async throws {
        try await database.withPool(maximum: 1) {
            $0.connection.idleInTransactionTimeout = .seconds(900)
        } _: { pool in
            try await pool.withTransaction(.readOnly) { snapshot in
                _ = try await snapshot.first(RowsEver())
                try await body()
            }
        }
    }

    @Test("Q5: while a dump goes on, the relay's reads do not pass what was removed meanwhile")
    func outbox() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await withSnapshot(services.ordersDatabase) {
                    for round in 0..<20 {
                        try await services.orders.withTransaction { transaction in
                            for number in 0..<500 {
                                try transaction.publish(OrderNoted(order: "order \(round) \(number)"))
                            }
                        }
                    }
                    try await eventually("all are gone") { try await services.orders.first(UnpublishedCount()) == 0 }
                    let pages = try await services.orders.first(OutboxPages()) ?? 0
                    #expect(pages > 100)
                    var before = try await note(services)
                    try await eventually("a message costs few of the pages that are in its way", poll: .zero) {
                        let now = try await note(services)
                        defer { before = now }
                        return now.blocks - before.blocks < pages
                    }
                }
            }
        }
    }

    /// Publishes one message and waits until what the relay did for it has been counted.
    private func note(_ services: TwoServices) async throws -> TableReads {
        let removed = try await services.orders.first(OutboxReads())?.removed ?? 0
        try await services.orders.withTransaction { try $0.publish(OrderNoted(order: "one")) }
        let reads = try await eventually("it is counted") {
            try await services.orders.first(OutboxReads())
        } satisfies: {
            ($0?.removed ?? 0) > removed
        }
        return try #require(reads)
    }

    @Test("Q2: what was published by a transaction that took long is found, however far the floor has risen meanwhile")
    func slowTransaction() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording()) {
                    // Its number is drawn before those of the others, and its row is seen after them.
                    let slow = try await PostgresConnection.connect(
                        services.orders.connectionConfiguration, on: TestThreads.postgres)
                    _ = try await slow.queryAll(BeginSlow(), PublishSlow())
                    let end = ContinuousClock.now + .seconds(4)
                    var number = 0
                    while .now < end {
                        number += 1
                        try await services.place("quick \(number)", number)
                    }
                    try await eventually("they have their effect") { try await services.effects().count == number }
                    try await slow.execute(CommitSlow())
                    try await eventually("so has the slow one") {
                        try await services.effects().last == Effect(name: "slow", number: 0)
                    }
                    await slow.close()
                }
            }
        }
    }

    @Test("Q5: while a dump goes on, most looks for deadlines do not pass what has fired meanwhile")
    func deadlines() async throws {
        try await TestDatabase.withDatabase(TwoServices.migrations) { database in
            try await database.withPool(maximum: 4) { pool async throws in
                try await withSnapshot(database) {
                    try await pool.execute(FillFired())
                    try await pool.execute(RemoveFired())
                    let pages = try await pool.first(DeadlinePages()) ?? 0
                    #expect(pages > 500)
                    let runner = DeadlineRunner(pool: pool, handlers: ["test": { _, _ in }], logger: TestThreads.logger)
                    try await whileRunning([{ try await runner.run() }]) {
                        var before = try await pool.first(DeadlineReads())
                        try await eventually("a look costs few of them", poll: .milliseconds(500)) {
                            guard let now = try await pool.first(DeadlineReads()), let last = before,
                                now.scans - last.scans >= 10
                            else { return false }
                            before = now
                            return now.blocks - last.blocks < pages * (now.scans - last.scans) / 3
                        }
                    }
                }
            }
        }
    }

    @Test("O12: a deadline that is set for long ago fires, however far the floor has risen")
    func longAgo() async throws {
        try await TestDatabase.withDatabase(TwoServices.migrations) { database in
            try await database.withPool(maximum: 4) { pool async throws in
                let runner = DeadlineRunner(
                    pool: pool, handlers: ["test": { $1.send(InsertEffect(name: $0.subject, number: 0)) }],
                    logger: TestThreads.logger)
                try await whileRunning([{ try await runner.run() }]) {
                    for subject in ["a", "b", "c"] {
                        try await pool.withTransaction {
                            $0.set(Deadline(kind: "test", subject: subject, dueAt: Date() - 7_200))
                        }
                        try await eventually("it has fired") { try await pool.query(Effects()).last?.name == subject }
                    }
                }
            }
        }
    }
}

/// Blocks of a table and its indexes that were asked for, and how many rows were removed.
private struct TableReads: Sendable {
    let blocks: Int
    let removed: Int
}

private struct RowsEver: Statement {
    static let sql: SQL = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM deadlines)"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct OutboxReads: Statement {
    static let sql: SQL = """
        SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read, n_tup_del
        FROM pg_statio_user_tables JOIN pg_stat_user_tables USING (relid) WHERE relid = 'outbox'::regclass
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> TableReads {
        TableReads(blocks: try row.next(), removed: try row.next())
    }
}

private struct OutboxPages: Statement {
    static let sql: SQL = "SELECT pg_relation_size('outbox') / 8192"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct BeginSlow: Statement { static let sql: SQL = "BEGIN" }
private struct CommitSlow: Statement { static let sql: SQL = "COMMIT" }

private struct PublishSlow: Statement {
    static let sql: SQL = """
        INSERT INTO outbox (id, exchange, name, aggregate, mandatory, payload, occurred_at)
        VALUES (gen_random_uuid(), 'orders', 'orders.order.placed.v1', 'slow', true, '{"order":"slow","number":0}', now())
        """
}

private struct FillFired: Statement {
    static let sql: SQL = """
        INSERT INTO deadlines (kind, subject, due_at)
        SELECT 'test', n::text, now() - make_interval(secs => 3600 + n / 100.0) FROM generate_series(1, 100000) AS n
        """
}

private struct RemoveFired: Statement { static let sql: SQL = "DELETE FROM deadlines" }

private struct DeadlinePages: Statement {
    static let sql: SQL = "SELECT pg_relation_size('deadlines') / 8192"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct DeadlineReads: Statement {
    static let sql: SQL = """
        SELECT heap_blks_hit + heap_blks_read, idx_scan
        FROM pg_statio_user_tables JOIN pg_stat_user_tables USING (relid) WHERE relid = 'deadlines'::regclass
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (blocks: Int, scans: Int) {
        (try row.next(), try row.next())
    }
}
