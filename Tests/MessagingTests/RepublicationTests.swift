import Foundation
@testable import Messaging
import Postgres
import Synchronization
import TestKit
import Testing

private struct ListTold: Statement {
    static let sql: SQL = "SELECT aggregate FROM outbox ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct EmptyOutbox: Statement { static let sql: SQL = "DELETE FROM outbox" }

/// Rows of a service, told two at a time, each with a message.
private final class Rows: Sendable {
    struct Killed: Error {}

    let ids = (0..<7).map { number in
        var generator = SeededGenerator(seed: UInt64(number))
        return UUID.timeOrdered(milliseconds: 1_000 + UInt64(number), using: &generator)
    }
    /// At which part it ends, once.
    let killedAt = Mutex<Int?>(nil)
    let parts = Mutex(0)

    func killed(at part: Int) { killedAt.withLock { $0 = part } }
}

@Suite("What is told again", .timeLimit(.minutes(15)))
struct RepublicationTests {
    private final class Source: Sendable {
        let rows = Rows()

        var kind: RepublishedKind {
            RepublishedKind("rows") { place, transaction in
                let rows = self.rows.ids.filter { id in place.after.map { $0.text < id.text } ?? true }.prefix(2)
                for row in rows { try transaction.publish(OrderArchived(order: row.text)) }
                let number = self.rows.parts.withLock { parts in
                    parts += 1
                    return parts
                }
                let isKilled = self.rows.killedAt.withLock { part in
                    guard part == number else { return false }
                    part = nil
                    return true
                }
                if isKilled { throw Rows.Killed() }
                return RepublishedKind.Part(Array(rows), limit: 2)
            }
        }
    }

    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(MessagingMigrations.all) { database async throws in
            try await database.withPool(maximum: 4) { pool async throws in try await body(pool) }
        }
    }

    private func republication(
        _ source: Source, _ pool: PostgresPool, outboxLimit: Int = 1_000, patience: Duration = .seconds(60)
    ) -> Republication {
        var pace = Republication.Pace()
        pace.pause = .milliseconds(1)
        pace.interval = .milliseconds(5)
        pace.outboxLimit = outboxLimit
        pace.patience = patience
        return Republication(pool: pool, kinds: [source.kind], pace: pace, logger: TestThreads.logger)
    }

    @Test("P12: every row is told once, in the order of the ids; run again, all of them once more")
    func whole() async throws {
        try await withPool { pool async throws in
            let source = Source()
            let ids = source.rows.ids.map(\.text)
            let told = try await republication(source, pool).run()
            #expect(told.map(\.kind) == ["rows"] && told.map(\.count) == [7])
            #expect(try await pool.query(ListTold()) == ids)
            #expect(try await republication(source, pool).run(only: ["rows"]).map(\.count) == [7])
            #expect(try await pool.query(ListTold()) == ids + ids)
            await #expect(throws: Republication.UnknownKind.self) {
                _ = try await republication(source, pool).run(only: ["others"])
            }
        }
    }

    @Test("P12: one that was killed goes on behind the last part that was committed; or anew, if that is asked")
    func killed() async throws {
        try await withPool { pool async throws in
            let source = Source()
            let ids = source.rows.ids.map(\.text)
            source.rows.killed(at: 3)
            await #expect(throws: Rows.Killed.self) { _ = try await republication(source, pool).run() }
            #expect(try await pool.query(ListTold()) == Array(ids.prefix(4)))
            #expect(try await republication(source, pool).run().map(\.count) == [7])
            #expect(try await pool.query(ListTold()) == ids)
            try await pool.execute(EmptyOutbox())
            source.rows.killed(at: source.rows.parts.withLock { $0 } + 2)
            await #expect(throws: Rows.Killed.self) { _ = try await republication(source, pool).run() }
            #expect(try await republication(source, pool).run(anew: true).map(\.count) == [7])
            #expect(try await pool.query(ListTold()) == Array(ids.prefix(2)) + ids)
        }
    }

    @Test("P12: of two at once each part is told by one of them")
    func two() async throws {
        try await withPool { pool async throws in
            let source = Source()
            let (first, second) = (republication(source, pool), republication(source, pool))
            async let one = first.run()
            async let other = second.run()
            _ = try await (one, other)
            let told = try await pool.query(ListTold())
            // The slower one may begin when the faster one has ended: then it is a run of its own.
            #expect(Set(told) == Set(source.rows.ids.map(\.text)))
            #expect([7, 14].contains(told.count), "\(told.count)")
        }
    }

    @Test("P12: while the outbox is full nothing is added; it goes on when there is room, and gives up after a time")
    func full() async throws {
        try await withPool { pool async throws in
            let source = Source()
            await #expect(throws: Republication.OutboxFull.self) {
                _ = try await republication(source, pool, outboxLimit: 3, patience: .milliseconds(50)).run()
            }
            let waiting = try await pool.query(ListTold())
            #expect(waiting.count == 4)
            let going = republication(source, pool, outboxLimit: 3)
            async let rest = going.run()
            try await eventually("all is told") {
                try await pool.execute(EmptyOutbox())
                return source.rows.parts.withLock { $0 } >= 4
            }
            #expect(try await rest.map(\.count) == [7])
        }
    }
}
