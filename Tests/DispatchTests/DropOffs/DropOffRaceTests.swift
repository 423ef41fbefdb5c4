import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// Two workers on one database. As many rounds as ``RaceTests/rounds`` says, each with a rack of its own.
@Suite("O13: races over bikes that are brought", .timeLimit(.minutes(15)), .seeded)
struct DropOffRaceTests {
    struct Round: Sendable {
        let first: RideWorld
        let second: RideWorld
        let run: RunHire
        let rack: UUID
        let customers: [UUID]
        let driver: UUID

        func order(_ customer: UUID, _ world: RideWorld, at now: Date = .thisMillisecond) async throws -> Order {
            let quote = DropOffScene.quote(customer, rack, at: now)
            return try await world.pool.withTransaction { transaction in
                transaction.send(try InsertQuote(quote))
                let input = OrderDropOff.Input(market: .btnc, customer: customer, quote: quote.id)
                return try await world.orders.operations.orderDropOff(input, at: now, in: transaction).order
            }
        }

        /// Whose driver is at the rack, with the code.
        func atRack() async throws -> (order: Order, code: String) {
            let order = try await order(customers[0], first)
            return try await first.pool.withTransaction { transaction in
                let now = Date.thisMillisecond
                let operations = first.orders.operations
                try await operations.recordPayment(SampleOrder.held(), of: order.id, at: now, in: transaction)
                let made = try await operations.offer(
                    [.init(order: order.id, provider: driver)], in: .btnc, needsSubscription: false, at: { now },
                    in: transaction)
                #expect(made.count == 1)
                _ = try await operations.accept(
                    order.id, by: driver, AcceptOrder.Input(), at: now, in: transaction)
                transaction.send(OrderWorld.standing(driver, at: order.place, since: now))
                _ = try await operations.arrive(order.id, by: driver, at: now, in: transaction)
                let code = try await run.code(
                    of: order.id, for: driver, as: .driver, random: .random(in: 0..<100_000_000), mayHold: { _ in },
                    at: now, in: transaction)
                return (order, code.code.text)
            }
        }

        /// - Returns: whether the rack lets a bike go.
        func pickUp(_ code: String, _ world: RideWorld) async throws -> UUID? {
            do {
                return try await world.pool.withTransaction { transaction in
                    try await run.pickUp(code, at: rack, now: .thisMillisecond, in: transaction)
                }
            } catch RackRefusal.wrongCode {
                return nil
            }
        }

        func bike() async throws -> (rack: UUID?, order: UUID?) {
            try #require(try await first.pool.first(FindOnlyBike(rack: rack)))
        }
    }

    private func race(_ round: @escaping @Sendable (Round) async throws -> Void) async throws {
        try await RideWorld.with { first in
            try await first.withAnotherWorker { second in
                let count = RaceTests.rounds
                let people = (0..<count).map { _ in (0..<3).map { _ in UUID.timeOrdered() } }
                try await first.pool.execute(InsertRiders(accounts: people.flatMap { $0.prefix(2) }))
                try await first.drivers(people.map { $0[2] })
                let run = RunHire(
                    hire: HireBike(signingKey: Array(repeating: 7, count: 32)),
                    change: ChangeOrder(markets: first.orders.markets))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for lane in 0..<RaceTests.lanes {
                        group.addTask {
                            for number in stride(from: lane, to: count, by: RaceTests.lanes) {
                                let people = people[number]
                                let worlds = Round(
                                    first: first, second: second, run: run, rack: try await rack(first),
                                    customers: Array(people.prefix(2)), driver: people[2])
                                try await RaceDelay.$round.withValue(number) { try await round(worlds) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await first.expectConsistency()
            }
        }
    }

    /// With one bike, whose id is the rack's.
    private func rack(_ world: RideWorld) async throws -> UUID {
        let card = Rack.Card(name: "City", arabicName: nil, latitude: -31.9523, longitude: 115.8613, isActive: true)
        let rack = Rack(id: .timeOrdered(), market: "btnc", card: card, stock: [:])
        try await world.pool.withTransaction { transaction in
            transaction.send(InsertRack(rack: rack, keyHash: RackKey.hash("key"), now: .thisMillisecond))
            transaction.send(InsertBikes(market: "btnc", type: "city", rack: rack.id, ids: [rack.id]))
        }
        return rack.id
    }

    @Test("O10, C6: two customers want the last bike at once: one has it, and the other's quote is not used up")
    func lastBike() async throws {
        try await race { round in
            @Sendable func order(_ customer: UUID, _ world: RideWorld) async throws -> UUID? {
                do { return try await round.order(customer, world).id } catch RackRefusal.noBike { return nil }
            }
            async let one = RaceDelay.late { try await order(round.customers[0], round.first) }
            async let two = RaceDelay.late { try await order(round.customers[1], round.second) }
            let had = try await [one, two].compactMap { $0 }
            #expect(had.count == 1)
            let bike = try await round.bike()
            #expect(bike.order == had.first && bike.rack == round.rack)
        }
    }

    @Test("O10, C6: a pick-up that is told twice at once happens once, and both hear of the same bike")
    func twice() async throws {
        try await race { round in
            let (order, code) = try await round.atRack()
            async let one = RaceDelay.late { try await round.pickUp(code, round.first) }
            async let two = RaceDelay.late { try await round.pickUp(code, round.second) }
            let told = try await [one, two]
            #expect(told == [round.rack, round.rack])
            let bike = try await round.bike()
            #expect(bike.rack == nil && bike.order == order.id)
            let stored = try await round.first.details(order.id)
            #expect(stored.state == .inProgress && stored.version == 6)
        }
    }

    @Test("O10, C6: cancel against the pick-up: the bike is out and it goes on, or it is for others and nothing opens")
    func cancel() async throws {
        try await race { round in
            let (order, code) = try await round.atRack()
            async let letGo = RaceDelay.late { try await round.pickUp(code, round.first) }
            async let cancelling = RaceTests.Outcome.of {
                try await round.second.pool.withTransaction { transaction in
                    try await round.second.orders.operations.cancel(
                        order.id, by: order.customer.account,
                        CancelOrder.Input(accepted: Money(amount: 2_500, currency: "AUD")), at: .thisMillisecond,
                        in: transaction
                    ).order
                }
            }
            let (bike, cancelled) = try await (letGo, cancelling)
            let now = try await round.bike()
            if bike == nil {
                #expect(cancelled == .done(.cancelled) && now.rack == round.rack && now.order == nil)
            } else {
                #expect(cancelled == .refused(.wrongState(.inProgress)) && now.rack == nil && now.order == order.id)
            }
        }
    }

    @Test("O10, C6: giving up against the pick-up: the driver has the bike, or it stays reserved and nothing opens")
    func giveUp() async throws {
        try await race { round in
            let (order, code) = try await round.atRack()
            async let letGo = RaceDelay.late { try await round.pickUp(code, round.first) }
            async let givingUp = RaceTests.Outcome.of {
                try await round.second.pool.withTransaction { transaction in
                    try await round.second.orders.operations.change(
                        .giveUp(reason: nil), of: order.id, by: round.driver, at: .thisMillisecond, in: transaction
                    ).order
                }
            }
            let (bike, givenUp) = try await (letGo, givingUp)
            let now = try await round.bike()
            #expect(now.order == order.id)
            if bike == nil {
                #expect(givenUp == .done(.requested) && now.rack == round.rack)
                #expect(try await round.pickUp(code, round.first) == nil)
            } else {
                #expect(givenUp == .refused(.wrongState(.inProgress)) && now.rack == nil)
            }
        }
    }
}

/// Of a rack with one bike, which has its id.
private struct FindOnlyBike: Statement {
    static let sql: SQL = "SELECT rack, order_id FROM bikes WHERE id = $1"
    let rack: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(rack) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (rack: UUID?, order: UUID?) {
        (try row.next(), try row.next())
    }
}
