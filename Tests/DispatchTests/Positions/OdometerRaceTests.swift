import Foundation
import Matching
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O2, O13: odometers of orders that change", .timeLimit(.minutes(15)))
struct OdometerRaceTests {
    private static func reading(_ order: UUID, version: Int, metres: Double) throws -> StoreOdometers {
        let odometer = Odometer(metres: metres, base: Fix(place: ProvidersGround.riyadh, at: Date()))
        return try StoreOdometers(readings: [(order: order, version: version, odometer: odometer)])
    }

    @Test(
        "O2: a way that was read before its order was another's is not written, and does not wait; the next begins at nought"
    )
    func former() async throws {
        try await ProvidersGround.run { ground in
            let driver = try await ground.tell()
            let order = try await ground.order(state: "accepted", provider: driver)
            #expect(try await ground.pool.execute(try Self.reading(order, version: 1, metres: 5_000)) == 1)
            try await ground.pool.withTransaction { transaction in
                // He gives up while his way has been read and is not written yet.
                _ = try await transaction.query(LockOrder(order: order))
                _ = try await transaction.execute(DeleteOdometer(order: order))
                #expect(try await ground.pool.execute(try Self.reading(order, version: 1, metres: 5_500)) == 0)
                transaction.send(
                    PutTestOrder(
                        id: order, state: "requested", customer: driver, provider: driver,
                        place: ProvidersGround.riyadh))
            }
            #expect(try await ground.pool.execute(try Self.reading(order, version: 1, metres: 5_500)) == 0)
            #expect(try await ground.pool.first(ReadOdometerMetres(order: order)) == nil)
            #expect(try await ground.pool.execute(try Self.reading(order, version: 2, metres: 0)) == 1)
        }
    }

    @Test("O13: who announces takes the order before its odometer, as who changes the order does, so none locks up")
    func announced() async throws {
        let announced = Mutex(0)
        try await ProvidersGround.run { ground in
            let order = try await ground.order(state: "enRoute", provider: try await ground.tell())
            try await ground.pool.execute(try Self.reading(order, version: 1, metres: 5_000))
            let announce = AnnounceNearby(pool: ground.pool) { order, _, _, transaction in
                _ = try await transaction.query(LockOrder(order: order))
                announced.withLock { $0 += 1 }
            }
            let arrival = RecordPositions.Arrival(order: order, metresLeft: 400, secondsLeft: 60)
            let announcing = try await ground.pool.withTransaction { transaction in
                _ = try await transaction.query(LockOrder(order: order))
                let announcing = Task { try await announce(arrival) }
                try await eventually("it waits for the order") { try await ground.pool.first(CountLockWaits()) == 1 }
                _ = try await transaction.execute(DeleteOdometer(order: order))
                return announcing
            }
            try await announcing.value
            #expect(announced.withLock { $0 } == 0)
        }
    }
}
