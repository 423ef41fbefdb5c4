import Foundation
import Postgres
import SeraiJSON
import TestKit
import Testing

@Suite("Killed processes", .timeLimit(.minutes(15)))
struct KillTests {
    private let seconds = ProcessInfo.processInfo.environment["SERAI_KILL_SECONDS"].flatMap(Int.init) ?? 60

    @Test("O13: processes killed with -9 at random points under load lose nothing and do nothing twice")
    func killed() async throws {
        var generator = SeededGenerator()
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase { database in
                try await database.withPool { pool in
                    try await CourierProcess.migrate(database: database.dsn, broker: host)
                    var couriers = try (0..<3).map { _ in
                        try CourierProcess.start(database: database.dsn, broker: host, senders: 4)
                    }
                    defer { for courier in couriers { courier.kill() } }
                    try await eventually(within: .seconds(30), "parcels are on their way") {
                        try await pool.first(CourierCounts())?.received ?? 0 > 0
                    }
                    let end = ContinuousClock.now + .seconds(seconds)
                    var kills = 0
                    while ContinuousClock.now < end {
                        let life = Duration.milliseconds(Int.random(in: 20...1500, using: &generator))
                        let next = ContinuousClock.now + life
                        let victim = Int.random(in: 0..<couriers.count, using: &generator)
                        try await eventually(within: .seconds(10), "its time has come", poll: .milliseconds(5)) {
                            .now >= next
                        }
                        couriers[victim].kill()
                        try await couriers[victim].ended()
                        kills += 1
                        couriers[victim] = try CourierProcess.start(database: database.dsn, broker: host, senders: 4)
                    }
                    for courier in couriers { courier.kill() }
                    for courier in couriers { try await courier.ended() }

                    let last = try CourierProcess.start(database: database.dsn, broker: host, senders: 0)
                    defer { last.kill() }
                    let counts = try await eventually(within: .seconds(60), "every parcel is handled (\(generator))") {
                        try await pool.first(CourierCounts())
                    } satisfies: {
                        $0?.isExact == true
                    }
                    #expect(kills > 5)
                    #expect(counts?.sent ?? 0 > 100)
                    for queue in ["courier.dead", "courier.events.dead"] {
                        #expect(try await host.queueDepth(queue) == 0, "\(generator)")
                    }
                    print("killed \(kills) processes under \(counts?.sent ?? 0) parcels; each handled once")
                    last.terminate()
                    try await last.ended()
                    #expect(last.exitCode == 0)
                }
            }
        }
    }
}
