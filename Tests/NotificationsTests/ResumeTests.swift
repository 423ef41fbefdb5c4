import Contracts
import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Streams that are interrupted", .timeLimit(.minutes(15)))
struct ResumeTests {
    /// `make races` has a thousand.
    private static let interruptions =
        ProcessInfo.processInfo.environment["SERAI_RESUME_ROUNDS"].flatMap(Int.init) ?? 200

    @Test("N3: a client cut off hundreds of times at random places, on two processes, sees each event once, in order")
    func interrupted() async throws {
        var random = SeededGenerator()
        try await World.run { world in
            try await world.withProcess { first in
                try await world.withProcess { second in
                    let sample = Sample()
                    let isOver = Mutex(false)
                    async let publishing = Self.publish(of: sample, world) { isOver.withLock { $0 } }
                    var seen: [Int] = []
                    var versions: [Int] = []
                    func read(for pause: Duration) async throws {
                        let process = Bool.random(using: &random) ? first : second
                        let stream = try await process.stream(sample.customer, after: seen.last ?? 0)
                        try await Task.sleep(for: pause)
                        await stream.cut()
                        seen += stream.numbers
                        versions += stream.events("order").compactMap { $0.number("version") }
                    }
                    for _ in 1...Self.interruptions {
                        try await read(for: .milliseconds(Int.random(in: 0...20, using: &random)))
                    }
                    isOver.withLock { $0 = true }
                    let total = try await publishing
                    let deadline = ContinuousClock.now + .seconds(60)
                    while seen.last != total, .now < deadline { try await read(for: .milliseconds(50)) }
                    #expect(seen == Array(1...total), "\(random)")
                    #expect(versions.count == total && Set(versions) == Set(1...total), "\(random)")
                }
            }
        }
    }

    /// Events of as many orders, until it is over: of one order, a version that two workers turn around would be left out.
    /// - Returns: how many.
    private static func publish(of sample: Sample, _ world: World, until isOver: () -> Bool) async throws -> Int {
        var version = 0
        while !isOver() {
            version += 1
            let order = Sample(customer: sample.customer, provider: sample.provider)
            try await world.publish(order.changed(version: version))
            if version.isMultiple(of: 20) { try await world.settle() }
        }
        return version
    }

    @Test("N3: what was purged before it could be read is told as missed, also in the middle")
    func purgedMeanwhile() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for version in 1...6 {
                    try await world.publish(sample.changed(version: version))
                    try await world.settle()
                }
                try await world.pool.execute(RemoveEvents(account: sample.customer, from: 3, to: 4))
                let stream = try await process.stream(sample.customer, after: 1)
                try await eventually("the last one has come") { stream.numbers.last == 6 }
                #expect(stream.numbers == [2, 5, 6])
                let ready = stream.events("ready")
                #expect(ready.map(\.id) == [1, 4])
                #expect(ready.map { $0.json["missed"] as? Bool } == [false, true])
            }
        }
    }

    @Test("P6: who has lost an order hears so, though a later version was told to others before")
    func lostLate() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                try await world.publish(sample.accepted())
                try await world.settle()
                let later = sample.snapshot(.cancelled, version: 7, by: .system) { $0.provider = nil }
                try await world.publish(OrderPaymentChanged(order: later))
                try await world.settle()
                let lost = sample.snapshot(.cancelled, version: 6, by: .customer) { $0.provider = nil }
                let former = OrderSnapshot.Party(account: sample.provider, name: sample.providerName)
                try await world.publish(OrderCancelled(order: lost, former: former))
                try await world.settle()
                let provider = try await process.stream(sample.provider, after: 0)
                try await eventually("the provider hears it") { provider.events("order").count == 2 }
                #expect(provider.events("order").compactMap { $0.number("version") } == [2, 6])
                let customer = try await process.stream(sample.customer, after: 0)
                try await eventually("the customer hears the newest") { !customer.events("order").isEmpty }
                #expect(customer.events("order").compactMap { $0.number("version") } == [2, 7])
            }
        }
    }

    @Test("N3: while a stream replays much, what is new comes after it")
    func replay() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for version in 1...300 { try await world.publish(sample.changed(version: version)) }
                try await world.settle()
                let head = try #require(try await process.stream(sample.customer).events[0].id)
                let stream = try await process.stream(sample.customer, after: 0)
                for version in 301...400 { try await world.publish(sample.changed(version: version)) }
                try await world.settle()
                try await eventually("the last version has come") {
                    stream.events("order").last?.number("version") == 400
                }
                // However the workers met them, numbers have no gap and states never go back.
                #expect(head <= 300)
                #expect(stream.numbers == Array(1...stream.numbers.count))
                let versions = stream.events("order").compactMap { $0.number("version") }
                #expect(versions == versions.sorted())
            }
        }
    }

    @Test("N3: a stream sees what another process has consumed because that one tells, not by the poll")
    func acrossProcesses() async throws {
        try await World.run { world in
            let noPoll = { (limits: inout StreamLimits) in limits.poll = .seconds(3_600) }
            try await world.withProcess(adjust: noPoll) { first in
                try await world.withProcess(adjust: noPoll) { second in
                    let sample = Sample()
                    let streams = [
                        try await first.stream(sample.customer), try await second.stream(sample.customer),
                    ]
                    // Both take from the queue, so each consumes some.
                    for version in 1...30 {
                        try await world.publish(sample.changed(version: version))
                        try await eventually("both have seen it") {
                            streams.allSatisfy { $0.events("order").last?.number("version") == version }
                        }
                    }
                    #expect(streams.allSatisfy { $0.numbers == Array(1...30) })
                }
            }
        }
    }

    @Test("N3: what nobody told of is found by the poll")
    func poll() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                let stream = try await process.stream(sample.customer)
                try await world.pool.withTransaction { transaction in
                    transaction.send(WriteNotices(notices: try OrderNotices(sample.changed(version: 1)).all()))
                }
                try await eventually("it has come") { stream.numbers == [1] }
            }
        }
    }

    @Test("N3: streams live on when all sessions of the database and all connections of the broker end")
    func outages() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                let stream = try await process.stream(sample.customer)
                try await world.publish(sample.changed(version: 1))
                try await eventually("the first has come") { stream.numbers == [1] }
                try await world.database.terminateAllSessions()
                try await world.publish(sample.changed(version: 2))
                try await eventually("the second has come") { stream.numbers == [1, 2] }
                try await world.broker.closeAllConnections()
                try await eventually("the third is published") {
                    try await world.publish(sample.changed(version: 3))
                    return true
                }
                try await eventually("the third has come") {
                    stream.events("order").last?.number("version") == 3
                }
                #expect(!stream.hasEnded)
            }
        }
    }
}

private struct RemoveEvents: Statement {
    static let sql: SQL = "DELETE FROM stream_events WHERE account = $1 AND seq BETWEEN $2 AND $3"
    let account: UUID
    let from: Int
    let to: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, from, to) }
}
