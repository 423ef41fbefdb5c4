import Foundation
import Matching
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

/// Two workers in one process, each with a pool of its own.
@Suite("O13, P4: a worker that is added", .timeLimit(.minutes(15)))
struct AddedWorkerTests {
    /// Ways that are told once it is open: a round that asks for them lasts until then.
    private final class Gate: TravelTimes {
        private let state = Mutex((asked: 0, isOpen: false))

        /// How often it was asked.
        var asked: Int { state.withLock { $0.asked } }

        func open() { state.withLock { $0.isOpen = true } }

        func estimates(
            from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
        ) async throws -> [TravelEstimate] {
            state.withLock { $0.asked += 1 }
            try await eventually("the gate is open") { state.withLock { $0.isOpen } }
            return StreetTimes().estimates(from: origins, to: destination, metresPerMinute: metresPerMinute)
        }
    }

    private struct CountOffers: Statement {
        static let sql: SQL = "SELECT count(*) FROM offers"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    @Test("O13, P4: a worker that is added takes areas with its next look, while the first is still in its first round")
    func added() async throws {
        let areas = 12
        let gate = Gate()
        try await RideWorld.with(times: gate) { first in
            try await first.withAnotherWorker { second in
                // Each in a cell of its own, with a driver around the corner.
                for number in 0..<areas {
                    let metres = Double(number) * 12_000
                    _ = try await first.driver(north: metres + 200)
                    _ = try await first.ride(from: RideWorld.north(metres))
                }
                func offers() async throws -> Int { try await first.pool.first(CountOffers()) ?? 0 }
                let slow = RoundRunner(pool: first.pool, round: first.rounds, lanes: 1, logger: TestThreads.logger)
                let running = Task { try await slow.run() }
                defer { running.cancel() }
                try await eventually("the first one is in a round") { gate.asked == 1 }
                #expect(try await offers() == 0)

                let added = RoundRunner(pool: second.pool, round: second.rounds, lanes: 1, logger: TestThreads.logger)
                let runningToo = Task { try await added.run() }
                defer { runningToo.cancel() }
                try await eventually("the second one had all the areas that are left", value: { try await offers() }) {
                    $0 >= areas - 1
                }
                #expect(gate.asked == 1)
                gate.open()
                try await eventually("every ride is offered") { try await offers() == areas }
                for task in [running, runningToo] {
                    task.cancel()
                    _ = await task.result
                }
                try await first.expectConsistency()
            }
        }
        // How long a look takes is this machine's matter; when it begins is not.
        #expect(RoundRunner.poll < .seconds(2))
    }
}
