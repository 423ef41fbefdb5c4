import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("P4: rounds", .timeLimit(.minutes(15)))
struct RoundTests {
    @Test("O8: the best driver is asked, then the next one, and nobody twice; who gave up is not asked again either")
    func next() async throws {
        try await RideWorld.with { world in
            let near = try await world.driver(north: 500)
            let far = try await world.driver(north: 1_500)
            let order = try await world.ride()
            #expect(try await world.round() == RunRound.Outcome(orders: 1, offered: 1))
            var now = try await world.details(order.id)
            #expect(now.state == .offered && now.provider?.account == near)
            #expect(try await world.orders.held(near) == order.id)
            // On offer it is in no round.
            #expect(try await world.round() == RunRound.Outcome())
            try await world.decline(order, by: near)
            #expect(try await world.orders.held(near) == nil)
            try await world.round()
            now = try await world.details(order.id)
            #expect(now.provider?.account == far)
            _ = try await world.orders.accept(now, by: far)
            _ = try await world.pool.withTransaction { transaction in
                try await world.orders.operations.change(
                    .giveUp(reason: "a flat tyre"), of: order.id, by: far, at: .thisMillisecond, in: transaction)
            }
            // Each radius is looked into, and then there is nobody left.
            for _ in 0..<4 { try await world.round() }
            #expect(try await world.details(order.id).state == .requested)
            let third = try await world.driver(north: 1_000)
            try await world.round()
            #expect(try await world.details(order.id).provider?.account == third)
            #expect(
                try await world.orders.events(order.id) == [
                    "pending", "requested", "offered", "passed", "offered", "accepted", "reopened", "offered",
                ])
            try await world.expectConsistency()
        }
    }

    @Test("O8, C8: who may not be asked is not, and the reason is kept")
    func rules() async throws {
        try await RideWorld.with { world in
            let rider = try await world.orders.addCustomer("Ruby")
            try await world.set(.subscriptionRequired, to: "true")
            var expected: [UUID: RoundRule] = [:]
            func driver(
                _ rule: RoundRule, title: String = "driver", isAvailable: Bool = true, isSubscribed: Bool = true,
                account: UUID = .timeOrdered(), at: Date = Date()
            ) async throws {
                let driver = try await world.driver(
                    north: 300, account: account, title: title, isAvailable: isAvailable, at: at)
                if isSubscribed { try await world.pool.execute(PutSubscription(account: driver)) }
                expected[driver] = rule
            }
            try await driver(.unsubscribed, isSubscribed: false)
            try await driver(.unavailable, isAvailable: false)
            // One who only sells is no candidate, and so is not told of.
            let seller = try await world.driver(north: 300, title: "restaurant")
            try await driver(.ownOrder, account: rider)
            let unverified = UUID.timeOrdered()
            try await driver(.unverified, account: unverified)
            try await world.pool.execute(WithdrawVerification(account: unverified))
            let (busy, asked) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await driver(.busy, account: busy)
            try await driver(.onOffer, account: asked)
            let first = try await world.ride()
            _ = try await world.take(first, by: busy)
            let second = try await world.ride()
            #expect(try await world.offer(second, to: asked))
            let order = try await world.ride(rider)
            try await world.round()
            #expect(try await world.details(order.id).state == .requested)
            let reasoning = try #require(try await world.reasonings(order.id).last)
            #expect(reasoning.outcome == .widened && reasoning.weighed.isEmpty && reasoning.radiusMetres == 2_000)
            #expect(!reasoning.leftOut.contains { $0.providers.contains(seller) })
            for (driver, rule) in expected {
                let told = reasoning.leftOut.first { $0.providers.contains(driver) }
                #expect(told?.rule == rule, "\(rule)")
            }
            // Whose place is old is not in the index any more.
            try await driver(.stale, at: Date() - 200)
            try await world.round()
            #expect(try await world.details(order.id).state == .requested)
            try await world.expectConsistency()
        }
    }

    @Test("O8: an XL ride is for an XL vehicle, which may also do others; a closed market asks nobody")
    func vehicles() async throws {
        try await RideWorld.with { world in
            _ = try await world.driver(north: 100)
            let large = try await world.driver(north: 1_900, vehicle: "xl")
            let order = try await world.ride(size: "xl")
            try await world.round()
            #expect(try await world.details(order.id).provider?.account == large)
            try await world.set(.openingHours, to: "00:00-00:01")
            let closed = try await world.rideWhileOpen()
            try await world.round()
            let reasoning = try #require(try await world.reasonings(closed.id).last)
            #expect(reasoning.leftOut.contains { $0.rule == .outOfHours })
        }
    }

    @Test(
        "O8: nobody near: the radius is widened step by step to the market's, then it waits, and keeps quiet about it")
    func widening() async throws {
        try await RideWorld.with { world in
            let order = try await world.ride()
            for _ in 0..<6 { try await world.round() }
            #expect(try await world.reasonings(order.id).map(\.radiusMetres) == [2_000, 5_000, 10_000])
            #expect(try await world.reasonings(order.id).map(\.outcome) == [.widened, .widened, .waits])
            let far = try await world.driver(north: 8_000)
            try await world.round()
            #expect(try await world.details(order.id).provider?.account == far)
            #expect(try await world.reasonings(order.id).map(\.outcome).last == .offered)
        }
    }

    @Test("O8, P3a: when the search is over nobody was found, and nobody is asked any more")
    func nobody() async throws {
        try await RideWorld.with { world in
            let order = try await world.ride(at: .thisMillisecond.addingTimeInterval(-301))
            _ = try await world.driver(north: 100)
            try await world.round()
            let now = try await world.details(order.id)
            #expect(now.state == .expired && now.reason == "nobody-found")
            #expect(try await world.reasonings(order.id).map(\.outcome) == [.gaveUp])
            try await world.expectConsistency()
        }
    }

    @Test("P4: a round serves all together: the one near driver goes to who can have no other")
    func together() async throws {
        try await RideWorld.with { world in
            let (one, other) = (try await world.driver(north: 0), try await world.driver(north: 1_800))
            let first = try await world.ride(from: RideWorld.north(600))
            let second = try await world.ride(from: RideWorld.north(-1_500))
            #expect(try await world.round() == RunRound.Outcome(orders: 2, offered: 2))
            #expect(try await world.details(first.id).provider?.account == other)
            #expect(try await world.details(second.id).provider?.account == one)
        }
    }

    @Test("O13: an area has one round at a time; it is given back, or taken over when the worker is late")
    func leases() async throws {
        try await RideWorld.with { world in
            func claim(_ worker: UUID, _ seconds: Double = 4) async throws -> RoundArea? {
                let claim = try await world.pool.first(ClaimArea(lease: worker, seconds: seconds))
                guard case .claimed(let area)? = claim else { return nil }
                return area
            }
            let (one, two) = (UUID.timeOrdered(), UUID.timeOrdered())
            #expect(try await claim(one) == nil)
            _ = try await world.ride()
            let area = try #require(try await claim(one))
            #expect(try await claim(two) == nil)
            // Another's word does not give it back.
            try await world.pool.execute(ReleaseArea(area: area, lease: two))
            #expect(try await claim(two) == nil)
            try await world.pool.execute(ReleaseArea(area: area, lease: one))
            #expect(try await claim(two, 0.05) == area)
            try await eventually("it is taken over") { try await claim(one) == area }
            // Elsewhere is another area.
            _ = try await world.ride(from: RideWorld.north(30_000))
            let elsewhere = try await claim(two)
            #expect(elsewhere != nil && elsewhere != area)
        }
    }

    @Test("O13: who chooses an area while another takes it is told so, and may look for another one at once")
    func lost() async throws {
        try await RideWorld.with { world in
            _ = try await world.ride()
            let second = try await world.pool.withTransaction { transaction in
                let first = try await transaction.first(ClaimArea(lease: .timeOrdered(), seconds: 4))
                guard case .claimed? = first else { throw LostClaim() }
                let second = Task { try await world.pool.first(ClaimArea(lease: .timeOrdered(), seconds: 4)) }
                try await eventually("it waits for the first") { try await world.pool.first(CountLockWaits()) == 1 }
                return second
            }
            guard case .lost? = try await second.value else { throw LostClaim() }
            #expect(try await world.pool.first(ClaimArea(lease: .timeOrdered(), seconds: 4)) == nil)
        }
    }

    private struct LostClaim: Error {}

    private struct SlowTimes: TravelTimes {
        let asked: Signal
        func estimates(
            from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
        ) async throws -> [TravelEstimate] {
            asked.raise()
            try await Task.sleep(for: .seconds(100))
            return []
        }
    }

    @Test("O13: a worker that ends in the middle of a round has done nothing by half; another takes over within 5 s")
    func killed() async throws {
        let asked = Signal()
        try await RideWorld.with(times: SlowTimes(asked: asked)) { world in
            let driver = try await world.driver(north: 200)
            let order = try await world.ride()
            let slow = RoundRunner(pool: world.pool, round: world.rounds, lanes: 2, logger: TestThreads.logger)
            let running = Task { try await slow.run() }
            #expect(await asked.wait(until: .now + .seconds(30), on: TestThreads.postgres))
            running.cancel()
            _ = await running.result
            #expect(try await world.details(order.id).state == .requested)
            try await world.withAnotherWorker { other in
                let runner = RoundRunner(pool: other.pool, round: other.rounds, lanes: 2, logger: TestThreads.logger)
                let running = Task { try await runner.run() }
                defer { running.cancel() }
                try await eventually(within: .seconds(30), "it is offered") {
                    try await world.details(order.id).provider?.account == driver
                }
                running.cancel()
                _ = await running.result
            }
            // When a lease ends it is found with the next look. How long both take here is this machine's matter.
            #expect(.seconds(RoundRunner.leaseSeconds) + RoundRunner.slowPoll < .seconds(5))
            try await world.expectConsistency()
        }
    }

    @Test("O8: a new ride is offered at once, whichever process has heard of its payment")
    func atOnce() async throws {
        try await RideWorld.with { world in
            try await world.withAnotherWorker { worker in
                let runner = RoundRunner(pool: worker.pool, round: worker.rounds, lanes: 2, logger: TestThreads.logger)
                let call = RoundNotifier(pool: world.pool, logger: TestThreads.logger)
                let tasks = [Task { try await runner.run() }, Task { try await call.run() }]
                defer { for task in tasks { task.cancel() } }
                for number in 0..<5 {
                    let driver = try await world.driver(north: Double(number) * 10)
                    let order = try await world.ride()
                    try await eventually("it is offered") {
                        try await world.details(order.id).provider?.account == driver
                    }
                }
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.result }
            }
        }
    }

    @Test("O13: many rides and workers: each is offered once at a time, and to nobody twice")
    func many() async throws {
        try await RideWorld.with { world in
            try await world.withAnotherWorker { other in
                var drivers: Set<UUID> = []
                for number in 0..<40 { drivers.insert(try await world.driver(north: Double(number) * 40)) }
                var rides: [Order] = []
                for number in 0..<60 {
                    rides.append(try await world.ride(from: RideWorld.north(Double(number % 30) * 50)))
                }
                let runners = [world, other].map {
                    RoundRunner(pool: $0.pool, round: $0.rounds, lanes: 3, logger: TestThreads.logger)
                }
                let tasks = runners.map { runner in Task { try await runner.run() } }
                defer { for task in tasks { task.cancel() } }
                // Each driver says no once, then yes; so all forty are busy in the end.
                var refused: Set<UUID> = []
                try await eventually("all drivers are busy") {
                    for ride in rides {
                        let now = try await world.details(ride.id)
                        guard now.state == .offered, let driver = now.provider?.account else { continue }
                        do {
                            if refused.insert(driver).inserted {
                                try await world.decline(now, by: driver)
                            } else {
                                _ = try await world.orders.accept(now, by: driver)
                            }
                        } catch OrderRefusal.tooLate {
                            continue  // The window ended on a busy machine: the ride is offered to another.
                        }
                    }
                    let (busy, accepted) = (
                        try await world.pool.first(CountBusy()), try await world.accepted(rides)
                    )
                    return busy == drivers.count && refused.count == drivers.count && accepted == drivers.count
                }
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.result }
                try await world.expectConsistency()
            }
        }
    }
}

struct PutSubscription: Statement {
    static let sql: SQL = """
        INSERT INTO provider_subscriptions (market, account, version, ends_at) VALUES ('btnc', $1, 1, now() + interval '1 day')
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct CountBusy: Statement {
    static let sql: SQL = "SELECT count(*) FROM providers WHERE current_order IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

extension RideWorld {
    func accepted(_ rides: [Order]) async throws -> Int {
        var count = 0
        for ride in rides where try await details(ride.id).state == .accepted { count += 1 }
        return count
    }

    /// One that was ordered before the market closed.
    func rideWhileOpen() async throws -> Order {
        try await set(.openingHours, to: "always")
        let order = try await ride()
        try await set(.openingHours, to: "00:00-00:01")
        return order
    }
}
