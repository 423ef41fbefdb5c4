import Foundation
import Matching
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Batches of positions", .timeLimit(.minutes(15)))
struct WriteOrderTests {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// No row when somebody else has the lock.
    private struct TryLockPosition: Statement {
        static let sql: SQL =
            "SELECT true FROM provider_positions WHERE provider = $1 FOR UPDATE SKIP LOCKED"
        let provider: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(provider) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
    }

    private struct TryLockOdometer: Statement {
        static let sql: SQL =
            "SELECT true FROM order_odometers WHERE order_id = $1 FOR UPDATE SKIP LOCKED"
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(order) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
    }

    /// Two rows are there; while somebody holds the first, both are written, the last one named first. Who writes in
    /// the rows' order waits for the first and has not touched the last.
    private func waitsForTheFirst<Write: Statement, Lock: Statement>(
        _ write: @escaping @Sendable (_ ids: [UUID], _ at: Date) throws -> Write, _ tryLock: @Sendable (UUID) -> Lock
    ) async throws where Lock.Row == Bool {
        let ids = [UUID.timeOrdered(), .timeOrdered()].sorted()
        try await TestDatabase.withDatabase(DispatchService.migrations) { database in
            try await database.withPool { pool in
                // Odometers are of orders.
                for id in ids {
                    let place = ProvidersGround.riyadh
                    try await pool.execute(
                        PutTestOrder(id: id, state: "accepted", customer: id, provider: id, place: place))
                }
                try await pool.execute(try write(ids, Self.start))
                let writing = try await pool.withTransaction { transaction in
                    #expect(try await transaction.first(tryLock(ids[0])) == true)
                    let writing = Task { try await pool.execute(try write(ids.reversed(), Self.start + 1)) }
                    try await eventually("the writer waits") { try await pool.first(CountLockWaits()) == 1 }
                    #expect(try await pool.first(tryLock(ids[1])) == true)
                    return writing
                }
                #expect(try await writing.value == 2)
            }
        }
    }

    @Test("O13: processes write many positions in one order, whatever the order of the reports, so none locks up")
    func positions() async throws {
        try await waitsForTheFirst(
            { ids, at in
                StorePositions(
                    reports: ids.map {
                        PositionReport(provider: $0, fix: Fix(place: ProvidersGround.riyadh, at: at))
                    })
            }, { TryLockPosition(provider: $0) })
    }

    @Test("O13: and so they do with odometers")
    func odometers() async throws {
        try await waitsForTheFirst(
            { ids, at in
                try StoreOdometers(
                    readings: ids.map {
                        (order: $0, version: 1, odometer: Odometer(base: Fix(place: ProvidersGround.riyadh, at: at)))
                    })
            }, { TryLockOdometer(order: $0) })
    }
}
