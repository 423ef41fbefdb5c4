import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Two workers on one database. As many rounds as `SERAI_BUNDLE_ROUNDS` says, or a tenth of ``RaceTests/rounds``.
@Suite("O9, O13: races over several meals of one courier", .timeLimit(.minutes(30)), .seeded)
struct BundleRaceTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["SERAI_BUNDLE_ROUNDS"].flatMap { Int($0) } ?? max(6, RaceTests.rounds / 10)

    private struct Race: Sendable {
        let first: MealWorld
        let second: MealWorld
        /// The same place, another restaurant.
        let nonna: MealWorld
        let courier: UUID

        /// Two that the courier has accepted, or is asked for.
        func bundle(isAccepted: Bool) async throws -> [Order] {
            var orders = [try await first.preparing(), try await first.preparing()]
            #expect(try await first.offer(orders, to: courier).count == 2)
            guard isAccepted else { return orders }
            for number in orders.indices { orders[number] = try await first.accept(orders[number], by: courier) }
            return orders
        }
    }

    private func race(_ body: @escaping @Sendable (Race) async throws -> Void) async throws {
        try await MealWorld.with { first in
            try await first.rides.withAnotherWorker { other in
                let (second, nonna) = (first.by(other), try await MealWorld(first.rides))
                let count = Self.rounds
                let couriers = (0..<count).map { _ in UUID.timeOrdered() }
                try await first.rides.drivers(couriers)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for lane in 0..<RaceTests.lanes {
                        group.addTask {
                            for number in stride(from: lane, to: count, by: RaceTests.lanes) {
                                let race = Race(
                                    first: first, second: second, nonna: nonna, courier: couriers[number])
                                try await RaceDelay.$round.withValue(number) { try await body(race) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await first.expectConsistency()
            }
        }
    }

    @Test("O9, O13: two workers offer a courier meals of two restaurants at once: of one of them, and the others stay")
    func offers() async throws {
        try await race { race in
            let ours = [try await race.first.preparing(), try await race.first.preparing()]
            let theirs = [try await race.nonna.preparing(), try await race.nonna.preparing()]
            async let offering = RaceDelay.late { try await race.first.offer(ours, to: race.courier) }
            async let offeringToo = RaceDelay.late { try await race.second.offer(theirs, to: race.courier) }
            let (made, madeToo) = try await (offering, offeringToo)
            // Both may have left a courier alone whom the other was just claiming.
            #expect(made.isEmpty || madeToo.isEmpty)
            #expect(try await race.first.trip(race.courier) == made.union(madeToo))
            #expect(try await (race.first.orders.held(race.courier) == nil) == (made.isEmpty && madeToo.isEmpty))
        }
    }

    @Test("O9, O13: one accepted and the other declined or timed out at once: he holds the one")
    func acceptDecline() async throws {
        try await race { race in
            let orders = try await race.bundle(isAccepted: false)
            async let accepting = RaceDelay.late { try await race.first.accept(orders[0], by: race.courier) }
            async let declining: Void = RaceDelay.late { try await race.second.decline(orders[1], by: race.courier) }
            #expect(try await accepting.state == .accepted)
            try await declining
            #expect(try await race.first.trip(race.courier) == [orders[0].id])
            #expect(try await race.first.orders.held(race.courier) == orders[0].id)
        }
    }

    @Test("O9, O13: both end at once, whichever way: he is free; nobody stays held by what is over")
    func endBoth() async throws {
        try await race { race in
            let orders = try await race.bundle(isAccepted: true)
            async let givingUp: Void = RaceDelay.late { try await race.first.giveUp(orders[0], by: race.courier) }
            async let reporting = RaceDelay.late {
                try await race.second.orders.report(orders[1], by: orders[1].customer.account).order
            }
            try await givingUp
            _ = try await reporting
            #expect(try await race.first.trip(race.courier).isEmpty)
            #expect(try await race.first.orders.held(race.courier) == nil)
        }
    }

    @Test("O9, O13: one is handed over while another is offered: added before, or not at all")
    func handOver() async throws {
        try await race { race in
            let orders = try await race.bundle(isAccepted: true)
            let third = try await race.first.preparing()
            async let handing = RaceDelay.late {
                try await race.first.handOver(orders[0], orders[0].food?.handOverCode)
            }
            async let offering = RaceDelay.late { try await race.second.offer([third], to: race.courier) }
            #expect(try await handing.state == .inProgress)
            let added = try await offering
            #expect(try await race.first.trip(race.courier) == Set(orders.map(\.id)).union(added))
            let fourth = try await race.first.preparing()
            #expect(try await race.first.offer([fourth], to: race.courier).isEmpty)
        }
    }

    // MARK: A walk

    @Test("O9, O13: whatever three couriers, two restaurants and two workers do at once, nobody holds what he must not")
    func walk() async throws {
        var generator = SeededGenerator()
        try await MealWorld.with { first in
            try await first.rides.withAnotherWorker { other in
                let nonna = try await MealWorld(first.rides)
                let workers = [first, first.by(other)]
                for number in 1...3 { _ = try await first.rides.driver(north: Double(number) * 50, at: Date() + 60) }
                var orders: [(world: MealWorld, id: UUID)] = []
                var most = 0
                for _ in 0..<120 {
                    let world = [first, nonna][Int.random(in: 0..<2, using: &generator)]
                    orders.append((world, try await world.preparing().id))
                    if orders.count > 8 { orders.removeFirst() }
                    var acts: [@Sendable () async throws -> Void] = workers.map { worker in
                        { _ = try await worker.rides.round() }
                    }
                    for _ in 0..<4 {
                        let (world, id) = orders[Int.random(in: 0..<orders.count, using: &generator)]
                        let act = Int.random(in: 0..<12, using: &generator)
                        acts.append { try await Self.act(act, on: id, in: world) }
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for act in acts { group.addTask { try await act() } }
                        try await group.waitForAll()
                    }
                    try await first.expectConsistency()
                    most = max(most, try await first.pool.first(CountLargestTrip()) ?? 0)
                }
                #expect(most > 1, "\(generator)")
            }
        }
    }

    /// What is not possible now is refused, and nothing of it stays.
    @Sendable private static func act(_ act: Int, on id: UUID, in world: MealWorld) async throws {
        let order = try await world.details(id)
        let courier = order.provider?.account ?? world.owner
        do {
            switch (order.state, act) {
            case (.offered, 0...7): _ = try await world.accept(order, by: courier)
            case (.offered, 8): try await world.decline(order, by: courier)
            case (.offered, 9), (.preparing, 9): try await world.decline(order)
            case (.offered, 10):
                guard let end = order.deadline else { return }
                try await world.pool.withTransaction { transaction in
                    try await world.operations.endWindow(.offer, of: id, due: end, at: end, in: transaction)
                }
            case (.accepted, 0...4): _ = try await world.handOver(order, order.food?.handOverCode)
            case (.accepted, 5): try await world.giveUp(order, by: courier)
            case (.accepted, 6): try await world.orders.report(order, by: order.customer.account)
            case (.accepted, 7): _ = try await world.orders.arrive(order)
            case (.arrived, _): _ = try await world.handOver(order, order.food?.handOverCode)
            case (.inProgress, 0...8): _ = try await world.orders.confirm(order, by: courier)
            case (.preparing, 11): try await world.ready(order)
            default: break
            }
        } catch is OrderRefusal {
        } catch is OrderNotFound {
        } catch is Presence.NotAtPlace {
        } catch is StartOrder.WrongCode {}
    }
}

private struct CountLargestTrip: Statement {
    static let sql: SQL =
        "SELECT coalesce(max(count), 0) FROM (SELECT count(*) FROM courier_trips GROUP BY provider) AS trips"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

extension MealWorld {
    /// The same restaurant in another process.
    func by(_ other: RideWorld) -> MealWorld {
        MealWorld(rides: other, owner: owner, restaurant: restaurant, soup: soup, bread: bread)
    }

    /// Offers meals to a courier without a round.
    ///
    /// - Returns: those that he is asked for.
    func offer(_ orders: [Order], to courier: UUID) async throws -> Set<UUID> {
        let made = try await pool.withTransaction { transaction in
            try await operations.offer(
                orders.map { .init(order: $0.id, provider: courier) }, in: .btnc, needsSubscription: false,
                at: { .thisMillisecond }, in: transaction)
        }
        return Set(made.map(\.order))
    }
}
