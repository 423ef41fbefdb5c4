import Foundation
import Matching
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

/// Two workers on one database. As many rounds as ``RaceTests/rounds`` says.
@Suite("O13: races over rides", .timeLimit(.minutes(15)), .seeded)
struct RideRaceTests {
    struct Round: Sendable {
        let first: RideWorld
        let second: RideWorld
        let riders: [UUID]
        let drivers: [UUID]

        /// A ride that is on offer to the first driver.
        func offered(at now: Date = .thisMillisecond) async throws -> Order {
            try await first.ride(riders[0], offeredTo: drivers[0], at: now)
        }
    }

    private func race(
        firing: Bool = false, riders: Int = 1, drivers: Int = 1,
        _ round: @escaping @Sendable (Round) async throws -> Void
    ) async throws {
        try await RideWorld.with { first in
            try await first.withAnotherWorker { second in
                let count = RaceTests.rounds
                let people = (0..<count).map { _ in
                    (
                        riders: (0..<riders).map { _ in UUID.timeOrdered() },
                        drivers: (0..<drivers).map { _ in UUID.timeOrdered() }
                    )
                }
                try await first.pool.execute(InsertRiders(accounts: people.flatMap(\.riders)))
                try await first.drivers(people.flatMap(\.drivers))
                func run() async throws {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for lane in 0..<RaceTests.lanes {
                            group.addTask {
                                for number in stride(from: lane, to: count, by: RaceTests.lanes) {
                                    let worlds = Round(
                                        first: first, second: second, riders: people[number].riders,
                                        drivers: people[number].drivers)
                                    // Whose place is old is offered nothing, and all rounds take longer than that.
                                    let fix = Fix(place: RideWorld.perth, at: Date())
                                    let reports = worlds.drivers.map { PositionReport(provider: $0, fix: fix) }
                                    try await first.pool.execute(StorePositions(reports: reports))
                                    try await RaceDelay.$round.withValue(number) { try await round(worlds) }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                if firing {
                    try await first.orders.whileFiring { try await second.orders.whileFiring { try await run() } }
                } else {
                    try await run()
                }
                try await first.expectConsistency()
            }
        }
    }

    @Test("O8, O13: one driver is offered two rides by two workers at once: one of them, and the other stays open")
    func oneDriver() async throws {
        try await race(riders: 2) { round in
            let one = try await round.first.ride(round.riders[0])
            let two = try await round.first.ride(round.riders[1])
            async let offering = RaceDelay.late { try await round.first.offer(one, to: round.drivers[0]) }
            async let offeringToo = RaceDelay.late { try await round.second.offer(two, to: round.drivers[0]) }
            let made = try await [offering, offeringToo]
            // Both may have left a driver alone whom the other was just claiming, never both have him.
            #expect(made.count { $0 } <= 1)
            let states = try await [round.first.details(one.id).state, round.first.details(two.id).state]
            #expect(states == made.map { $0 ? .offered : .requested })
        }
    }

    @Test("O8, O13: one ride is offered to two drivers by two workers at once: to one of them")
    func oneRide() async throws {
        try await race(drivers: 2) { round in
            let order = try await round.first.ride(round.riders[0])
            async let offering = RaceDelay.late { try await round.first.offer(order, to: round.drivers[0]) }
            async let offeringToo = RaceDelay.late { try await round.second.offer(order, to: round.drivers[1]) }
            let made = try await [offering, offeringToo]
            #expect(made.count { $0 } == 1)
            let now = try await round.first.details(order.id)
            #expect(now.state == .offered && now.provider?.account == round.drivers[made[0] ? 0 : 1])
        }
    }

    @Test("O8, O13: a ride is taken by one driver while it is offered to another: one of them has it")
    func takeOffer() async throws {
        try await race(drivers: 2) { round in
            let order = try await round.first.ride(round.riders[0])
            async let offering = RaceDelay.late { try await round.first.offer(order, to: round.drivers[0]) }
            async let taking = RaceTests.Outcome.of { try await round.second.take(order, by: round.drivers[1]) }
            let (isOffered, taken) = try await (offering, taking)
            #expect(isOffered ? taken == .refused(.wrongState(.offered)) : taken == .done(.accepted))
        }
    }

    @Test("O8, O13: accept against cancel: cancelled, with a fee once it was accepted, and the driver is free")
    func acceptCancel() async throws {
        try await race { round in
            let order = try await round.offered()
            async let accepting = RaceTests.Outcome.of {
                try await round.first.orders.accept(order, by: round.drivers[0])
            }
            async let cancelling = RaceDelay.late { try await Self.cancel(order, round.second) }
            let (accepted, cancelled) = try await (accepting, cancelling)
            if accepted == .done(.accepted) {
                // It has to be agreed to what it costs by now.
                let state = try await round.first.details(order.id)
                #expect(cancelled == (state.state == .cancelled))
                #expect(state.state == .cancelled || state.state == .accepted)
                #expect((state.ending?.fine?.amount ?? 0) == 0)
            } else {
                #expect(accepted == .refused(.wrongState(.cancelled)) && cancelled)
            }
        }
    }

    /// - Returns: whether it was free, and so done without a word about money.
    private static func cancel(_ order: Order, _ world: RideWorld) async throws -> Bool {
        do {
            return try await world.orders.cancel(order).state == .cancelled
        } catch is CancelOrder.FineNotAccepted {
            return false
        }
    }

    @Test("O8, O12: accept against the end of the offer: one wins; passed on, the ride is open and the driver free")
    func acceptExpiry() async throws {
        try await race(firing: true) { round in
            // The window ends in some milliseconds.
            let start = Date.thisMillisecond.addingTimeInterval(-20 + RaceDelay.seconds(0.02...0.08))
            let order = try await round.offered(at: start)
            let end = try #require(order.deadline)
            try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow + RaceDelay.seconds(-0.01...0.02))))
            let now = Date.thisMillisecond
            let accepted = try await RaceTests.Outcome.of {
                try await round.second.orders.accept(order, by: round.drivers[0], at: now)
            }
            if accepted == .done(.accepted) {
                #expect(now < end)
                return
            }
            #expect(accepted == .refused(.wrongState(.requested)) || accepted == .refused(.tooLate(.offered)))
            try await eventually("it is passed on") {
                try await round.first.details(order.id).state == .requested
            }
        }
    }
}
