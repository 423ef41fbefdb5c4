import Foundation
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("The relay's place", .timeLimit(.minutes(15)))
struct RelayLeaseTests {
    /// A session that has the place and does nothing.
    private func idleSession(_ services: TwoServices) async throws -> PostgresConnection {
        try await PostgresConnection.connect(services.orders.connectionConfiguration, on: TestThreads.postgres)
    }

    @Test("Q2: a relay that stands still loses its place when its lease is over, and its session with it")
    func stopped() async throws {
        try await TwoServices.run { services in
            let stopped = try await idleSession(services)
            #expect(try await stopped.query(TakeRelay(seconds: 3)) == [true])
            try await services.withConsumer(recording()) {
                try await services.withRelay {
                    try await services.place("a", 1)
                    try await eventually("another has taken its place") { try await services.effects().count == 1 }
                    // What it had still in hand cannot be written.
                    let error = await #expect(throws: PostgresError.self) {
                        try await stopped.execute(RemovePublished(numbers: [1]))
                    }
                    #expect(error?.isOutage == true)
                    await #expect(throws: PostgresError.self) { try await stopped.query(RenewRelay(seconds: 10)) }
                }
            }
            await stopped.close()
        }
    }

    @Test(
        "Q2: as long as the lease is lengthened nobody takes the place, and a session's end frees it before the lease ends"
    )
    func kept() async throws {
        try await TwoServices.run { services in
            let holder = try await idleSession(services)
            #expect(try await holder.query(TakeRelay(seconds: 6)) == [true])
            try await services.withRelay {
                try await services.place("a", 1)
                for _ in 0..<16 {
                    let next = ContinuousClock.now + .milliseconds(500)
                    try await eventually("half a second is over") { .now >= next }
                    #expect(try await holder.query(RenewRelay(seconds: 6)) == [true])
                }
                #expect(try await services.orders.first(UnpublishedCount()) == 1)
                #expect(try await holder.query(RenewRelay(seconds: 3_600)) == [true])
                await holder.close()
                try await services.withConsumer(recording()) {
                    try await eventually("another has taken its place") { try await services.effects().count == 1 }
                }
            }
        }
    }

    @Test("Q2: a relay of an earlier version has the lock and no lease, and is left alone")
    func earlierVersion() async throws {
        try await TwoServices.run { services in
            // A lease that is long over, of a session that is gone.
            let gone = try await idleSession(services)
            #expect(try await gone.query(TakeRelay(seconds: 0)) == [true])
            await gone.close()
            let earlier = try await idleSession(services)
            try await eventually("it has the lock") { try await earlier.query(EarlierLock()) == [true] }
            try await services.withRelay {
                try await services.place("a", 1)
                let end = ContinuousClock.now + .seconds(4)
                try await eventually("others have looked at it") { .now >= end }
                #expect(try await earlier.query(EarlierLock()) == [true])
                #expect(try await services.orders.first(UnpublishedCount()) == 1)
                await earlier.close()
                try await services.withConsumer(recording()) {
                    try await eventually("the place is free") { try await services.effects().count == 1 }
                }
            }
        }
    }

    @Test("Q2: a relay keeps its place for longer than one lease, idle and under load")
    func renewed() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(recording()) {
                try await services.withRelay({ $0.lease = .seconds(4) }) {
                    try await eventually("it has the place") { try await services.orders.first(LeaseHolder()) != nil }
                    let holder = try await services.orders.first(LeaseHolder())
                    try await services.withRelay({ $0.lease = .seconds(4) }) {
                        let end = ContinuousClock.now + .seconds(10)
                        var number = 0
                        while .now < end {
                            number += 1
                            try await services.place("order \(number % 10)", number)
                        }
                        try await eventually("all arrive") { try await services.effects().count == number }
                        #expect(try await services.orders.first(LeaseHolder()) == holder)
                    }
                }
            }
        }
    }
}

/// As a relay took the place that knew no lease.
private struct EarlierLock: Statement {
    static let sql: SQL = "SELECT pg_try_advisory_lock(hashtext('serai.relay'), hashtext(current_schema()))"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

private struct LeaseHolder: Statement {
    static let sql: SQL = "SELECT holder FROM relay_lease"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}
