import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceLifecycle
import Synchronization
import Testing
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("P6, O6: positions", .timeLimit(.minutes(15)))
struct PositionTests {
    /// Runs the parts of a process in the background while `body` does.
    static func process(
        _ pool: PostgresPool, _ broker: String, freshness: Duration = .seconds(120),
        announce: @escaping AnnounceNearby.Announce = { _, _, _, _ in },
        _ body: @escaping @Sendable (ProvidersGround) async throws -> Void
    ) async throws {
        var settings = ProviderParts.Settings()
        settings.flushInterval = .milliseconds(20)
        settings.freshness = freshness
        try await ProvidersGround.serve(pool, settings: settings, broker: broker, announce: announce) { ground in
            let components = ground.parts.components + ground.parts.answering
            let tasks = components.map { component in
                Task { try await component.service.run() }
            }
            defer { for task in tasks { task.cancel() } }
            for component in components { try await component.whenStarted() }
            try await body(ground)
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
    }

    static func report(
        _ provider: UUID, _ point: GeoPoint, at: Date? = nil, _ ground: ProvidersGround
    ) async throws {
        let time = at.map { #","at":"\#(Timestamp.text($0))""# } ?? ""
        let answer = try await ground.post(
            "positions", #"{"latitude":\#(point.latitude),"longitude":\#(point.longitude)\#(time)}"#, as: provider)
        #expect(answer.status == 202)
    }

    static func record(_ ground: ProvidersGround) -> RecordPositions {
        RecordPositions(pool: ground.pool, markets: ground.markets, freshness: 120)
    }

    static func stored(_ provider: UUID, _ ground: ProvidersGround) async throws -> Fix? {
        try await ground.pool.first(FindLastPosition(provider: provider))
    }

    @Test("P6: a position that one process is told appears in the other's list")
    func twoProcesses() async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                try await database.withPool { first in
                    try await database.withPool { second in
                        try await Self.process(first, host.url) { one in
                            try await Self.process(second, host.url) { other in
                                let nurse = try await one.free(metresNorth: 1)
                                #expect(try await other.list() == [])
                                try await eventually("the other process lists the nurse") {
                                    try await Self.report(nurse, ProvidersGround.north(2_000), one)
                                    return try await other.list() == [nurse.lower]
                                }
                                #expect(
                                    try await Self.stored(nurse, one)?.place == ProvidersGround.north(2_000))
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("P6: a lost connection to the broker does not stop posting, and the processes find each other again")
    func brokerLost() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                    try await database.withPool { pool in
                        let broker = proxy.url(rewriting: host.url)
                        try await Self.process(pool, broker) { one in
                            try await Self.process(pool, broker) { other in
                                // Two places that are near each other, on both sides of a border of cells.
                                let (here, there) = (ProvidersGround.north(400), ProvidersGround.north(470))
                                #expect(here.coarse != there.coarse)
                                let nurse = try await one.free(metresNorth: 400)
                                try await eventually("heard") {
                                    try await Self.report(nurse, here, one)
                                    return other.parts.index.fix(of: nurse) != nil
                                }
                                await proxy.dropNewConnections()
                                await proxy.cutAll()
                                try await Self.report(nurse, there, one)
                                try await eventually("written and listed without a broker") {
                                    one.parts.index.fix(of: nurse)?.place == there.coarse
                                }
                                try await eventually("the other one reads the table meanwhile") {
                                    other.parts.index.fix(of: nurse)?.place == there.coarse
                                }
                                await proxy.dropNewConnections(false)
                                try await eventually("heard again", poll: .milliseconds(100)) {
                                    try await Self.report(nurse, here, one)
                                    return other.parts.index.fix(of: nurse)?.place == here.coarse
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a process that starts knows the last places; stale ones are not among them")
    func restart() async throws {
        try await TestBroker.withVirtualHost { host in
            try await TestDatabase.withDatabase(DispatchService.migrations) { database in
                try await database.withPool { pool in
                    let (fresh, stale) = (UUID.timeOrdered(), UUID.timeOrdered())
                    try await pool.execute(
                        StorePositions(reports: [
                            PositionReport(provider: fresh, fix: Fix(place: ProvidersGround.riyadh, at: Date() - 60)),
                            PositionReport(provider: stale, fix: Fix(place: ProvidersGround.riyadh, at: Date() - 130)),
                        ]))
                    try await Self.process(pool, host.url) { ground in
                        #expect(ground.parts.index.fix(of: fresh) != nil)
                        #expect(ground.parts.index.fix(of: stale) == nil)
                    }
                }
            }
        }
    }

    @Test("P8, O6: where somebody is who is neither available nor about an order is not kept, nor told")
    func offDuty() async throws {
        try await ProvidersGround.run { ground in
            let (nurse, waiting) = (try await ground.tell(), try await ground.free())
            let record = Self.record(ground)
            let start = Date()
            func report(_ provider: UUID, _ seconds: Double) async throws -> RecordPositions.Outcome {
                let fix = Fix(place: ProvidersGround.riyadh, at: start + seconds)
                return try await record([PositionReport(provider: provider, fix: fix, isManual: true)])
            }
            for provider in [nurse, .timeOrdered()] {
                let outcome = try await report(provider, 0)
                #expect(outcome.droppedCount == 1 && outcome.positions.isEmpty)
                #expect(try await Self.stored(provider, ground) == nil)
            }
            #expect(try await report(waiting, 0).positions.count == 1)
            let order = try await ground.order(state: "accepted", provider: nurse)
            #expect(try await report(nurse, 10).positions.count == 1)
            let kept = try await Self.stored(nurse, ground)
            _ = try await ground.order(order, state: "completed", provider: nurse, isHeld: false)
            #expect(try await report(nurse, 20).positions.isEmpty)
            #expect(try await Self.stored(nurse, ground) == kept && kept != nil)
        }
    }

    @Test("of many reports the newest is written; late ones and absurd jumps are dropped")
    func newest() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            for second in [3.0, 1, 9, 5] {
                try await Self.report(nurse, ProvidersGround.north(second * 10), at: now - 10 + second, ground)
            }
            #expect(ground.parts.inbox.count == 1)
            let record = Self.record(ground)
            var outcome = try await record(ground.parts.inbox.takeAll())
            #expect(outcome.positions.map(\.at) == [now - 1] && outcome.positions.map(\.market) == ["assef"])
            for (metres, at) in [(95.0, now - 2), (90, now - 1), (500_000, now)] {
                let fix = Fix(place: ProvidersGround.north(metres), at: at)
                outcome = try await record([PositionReport(provider: nurse, fix: fix)])
                #expect(outcome.droppedCount == 1 && outcome.positions.isEmpty)
            }
            #expect(try await Self.stored(nurse, ground)?.at == now - 1)
            // The person's own word is taken, and so is the jump once the last place is stale.
            let stated = Fix(place: ProvidersGround.north(40_000), at: now)
            outcome = try await record([PositionReport(provider: nurse, fix: stated, isManual: true)])
            #expect(outcome.droppedCount == 0)
            outcome = try await record([
                PositionReport(provider: nurse, fix: Fix(place: ProvidersGround.riyadh, at: now + 121))
            ])
            #expect(outcome.droppedCount == 0)
        }
    }

    @Test("C4, O6: a stated place is believed of who holds no order; by a word alone nobody is near to a customer")
    func stated() async throws {
        try await ProvidersGround.run { ground in
            let (nurse, customer) = (try await ground.free(), UUID.timeOrdered())
            let record = Self.record(ground)
            let start = Date()
            func state(_ metres: Double, _ seconds: Double) async throws -> RecordPositions.Outcome {
                let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
                return try await record([PositionReport(provider: nurse, fix: fix, isManual: true)])
            }
            #expect(try await state(0, 0).droppedCount == 0)
            #expect(try await state(40_000, 1).droppedCount == 0)
            let order = try await ground.order(state: "enRoute", customer: customer, provider: nurse)
            let forged = try await state(100, 2)
            #expect(forged.droppedCount == 1 && forged.arrivals.isEmpty && forged.positions.isEmpty)
            #expect(try await Self.stored(nurse, ground)?.place == ProvidersGround.north(40_000))
            // What is possible is taken.
            #expect(try await state(39_900, 10).positions.count == 1)
            _ = try await ground.order(
                order, state: "completed", customer: customer, provider: nurse, isHeld: false)
            #expect(try await state(100, 11).droppedCount == 0)
        }
    }

    @Test("O2: the odometer of an order counts from the acceptance on, survives, and is counted once by many writers")
    func odometer() async throws {
        try await ProvidersGround.run { ground in
            let (nurse, customer) = (try await ground.free(), UUID.timeOrdered())
            let record = Self.record(ground)
            let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            func go(_ metres: Double, _ seconds: Double) async throws {
                let fix = Fix(place: ProvidersGround.north(10_000 - metres), at: start + seconds)
                _ = try await record([PositionReport(provider: nurse, fix: fix)])
            }
            try await go(0, 0)
            let order = try await ground.order(state: "requested", customer: customer, provider: nurse, isHeld: false)
            try await go(500, 30)
            #expect(try await ground.pool.first(ReadOdometerMetres(order: order)) == nil)
            _ = try await ground.order(order, state: "accepted", customer: customer, provider: nurse)
            try await go(600, 60)
            for step in 1...10 { try await go(600 + Double(step) * 100, 60 + Double(step) * 10) }
            // Two processes write the same positions at once.
            _ = try await ground.order(order, state: "enRoute", customer: customer, provider: nurse)
            for step in 11...20 {
                async let one: Void = go(600 + Double(step) * 100, 60 + Double(step) * 10)
                async let other: Void = go(600 + Double(step) * 100, 60 + Double(step) * 10)
                _ = try await (one, other)
            }
            let metres = try #require(try await ground.pool.first(ReadOdometerMetres(order: order)))
            #expect(abs(metres - 2_000) < 25)
            _ = try await ground.order(order, state: "arrived", customer: customer, provider: nurse)
            try await go(3_000, 400)
            #expect(try await ground.pool.first(ReadOdometerMetres(order: order)) == metres)
        }
    }

    @Test("O6: positions of a running order tell its customer how far it is; near is announced once, on the way only")
    func nearby() async throws {
        let announced = Mutex<[UUID]>([])
        try await ProvidersGround.run { ground in
            let (nurse, customer) = (try await ground.free(), UUID.timeOrdered())
            let record = Self.record(ground)
            let announce = AnnounceNearby(pool: ground.pool) { order, metres, seconds, _ in
                #expect(metres == 400 && seconds == 62)
                announced.withLock { $0.append(order) }
            }
            let start = Date()
            func report(_ metres: Double, _ seconds: Double) async throws -> RecordPositions.Outcome {
                let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
                return try await record([PositionReport(provider: nurse, fix: fix)])
            }
            // The place is known before the order.
            _ = try await report(400, -10)
            let order = try await ground.order(state: "accepted", customer: customer, provider: nurse)
            var outcome = try await report(400, 0)
            #expect(outcome.arrivals.isEmpty)
            let tracking = try #require(outcome.positions.first?.tracking)
            #expect(tracking.order == order && tracking.customer == customer && tracking.metresLeft == 400)
            _ = try await ground.order(order, state: "enRoute", customer: customer, provider: nurse)
            #expect(try await report(600, 10).arrivals.isEmpty)
            outcome = try await report(400, 20)
            #expect(outcome.arrivals.map(\.order) == [order])
            let arrival = try #require(outcome.arrivals.first)
            // One that fails leaves the order unmarked, and it is tried again.
            struct Failure: Error {}
            let failing = AnnounceNearby(pool: ground.pool) { _, _, _, _ in throw Failure() }
            await #expect(throws: Failure.self) { try await failing(arrival) }
            #expect(try await report(401, 30).arrivals.count == 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await announce(arrival) } }
                try await group.waitForAll()
            }
            #expect(try await report(402, 40).arrivals.isEmpty)
            #expect(announced.withLock { $0 } == [order])
        }
    }

    @Test(
        "P10: a wrong position names the field",
        arguments: [
            (#"{"latitude":91,"longitude":0}"#, "/latitude", "out-of-range"),
            (#"{"latitude":0,"longitude":-180.5}"#, "/longitude", "out-of-range"),
            (#"{"longitude":0}"#, "/latitude", "required"),
            (#"{"latitude":"1","longitude":0}"#, "/latitude", "not-a-number"),
            (#"{"latitude":0,"longitude":0,"at":"yesterday"}"#, "/at", "not-a-time"),
            (#"{"latitude":0,"longitude":0,"at":"2999-01-01T00:00:00Z"}"#, "/at", "position-in-the-future"),
            (#"{"latitude":24.7,"longitude":46.7,"at":"2020-01-01T00:00:00Z"}"#, "/at", "position-too-old"),
            (#"{"latitude":24.7,"longitude":46.7,"at":"2027-02-30T00:00:00Z"}"#, "/at", "not-a-time"),
            (#"{"latitude":0,"longitude":0}"#, "/latitude", "no-place"),
        ])
    func wrongInput(body: String, field: String, code: String) async throws {
        try await ProvidersGround.run { ground in
            let answer = try await ground.post("positions", body, as: UUID())
            #expect(answer.status == 422 && answer.codes[field] == code, "\(answer)")
            #expect(ground.parts.inbox.count == 0)
        }
    }

    @Test("when there is no room for another provider's position that is said, and those who are known go on")
    func full() async throws {
        var settings = ProviderParts.Settings()
        settings.inboxLimit = 1
        try await ProvidersGround.run(settings: settings) { ground in
            let (one, other) = (UUID(), UUID())
            try await Self.report(one, ProvidersGround.riyadh, ground)
            let answer = try await ground.post("positions", #"{"latitude":1,"longitude":1}"#, as: other)
            #expect(answer.status == 503 && answer.slug == "unavailable")
            try await Self.report(one, ProvidersGround.riyadh, ground)
        }
    }
}
