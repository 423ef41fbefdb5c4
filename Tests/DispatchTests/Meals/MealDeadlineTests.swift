import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

/// What two workers fire at one moment, each several meals in a transaction.
@Suite("O9, O13: deadlines of several meals at once", .timeLimit(.minutes(15)))
struct MealDeadlineTests {
    /// As the deadline does at its time; and what it has written reaches the database.
    private static func end(
        _ window: OrderWindow, _ order: Order, _ world: MealWorld, in transaction: PostgresTransaction
    ) async throws {
        let end = try #require(order.deadline)
        try await world.operations.endWindow(window, of: order.id, due: end, at: end, in: transaction)
        _ = try await transaction.first(ReadOrderState(order: order.id))
    }

    /// Two meals that a courier is asked for, and whose window was over some seconds ago.
    private static func offered(_ world: MealWorld) async throws -> (courier: UUID, orders: [Order]) {
        let start = Date.thisMillisecond - 60
        let courier = try await world.rides.driver(north: 100)
        let orders = [try await world.preparing(at: start), try await world.preparing(at: start)]
        let made = try await world.pool.withTransaction { transaction in
            try await world.operations.offer(
                orders.map { .init(order: $0.id, provider: courier) }, in: .btnc, needsSubscription: false,
                at: { start }, in: transaction)
        }
        #expect(made.count == 2)
        return (courier, [try await world.details(orders[0].id), try await world.details(orders[1].id)])
    }

    @Test("O9, O13: two workers end two couriers' offers crosswise: neither waits, and what one leaves ends later")
    func couriers() async throws {
        try await MealWorld.with { first in
            try await first.rides.withAnotherWorker { worker in
                let second = first.by(worker)
                let (one, two) = (try await Self.offered(first), try await Self.offered(first))
                let meanwhile = try await first.pool.withTransaction { transaction in
                    try await Self.end(.offer, one.orders[0], first, in: transaction)
                    let meanwhile = Task {
                        try await second.pool.withTransaction { transaction in
                            try await Self.end(.offer, two.orders[0], second, in: transaction)
                            try await Self.end(.offer, one.orders[1], second, in: transaction)
                        }
                    }
                    try await eventually("the other worker is done, though the first has a courier of its") {
                        try await first.details(two.orders[0].id).state == .preparing
                    }
                    try await Self.end(.offer, two.orders[1], first, in: transaction)
                    return meanwhile
                }
                try await meanwhile.value
                let left = one.orders[1].id
                #expect(try await first.details(left).state == .offered)
                #expect(try await first.orders.deadlines(left) == ["order.offer"])
                #expect(try await first.trip(one.courier) == [left])
                try await first.expectConsistency()
                try await first.orders.whileFiring {
                    try await eventually("what was left is passed on") {
                        try await first.details(left).state == .preparing
                    }
                }
                for order in one.orders + two.orders {
                    #expect(try await first.details(order.id).state == .preparing)
                }
                for courier in [one.courier, two.courier] { #expect(try await first.orders.held(courier) == nil) }
                try await first.expectConsistency()
            }
        }
    }

    @Test("I11, O13: a ban's deadline waits for no courier whom somebody else has in hand, and looks again")
    func bans() async throws {
        try await MealWorld.with { world in
            let (courier, orders) = try await Self.offered(world)
            _ = try await world.pool.query(
                StoreBan(account: courier, market: "btnc", until: nil, at: .thisMillisecond, version: nil))
            try await world.pool.withTransaction { other in
                _ = try await other.query(LockProvider(account: courier))
                try await world.pool.withTransaction { transaction in
                    try await world.operations.endBanned(orders[0].id, at: .thisMillisecond, in: transaction)
                }
            }
            #expect(try await world.details(orders[0].id).state == .offered)
            #expect(
                try await world.orders.deadlines(orders[0].id) == [ApplyBanToOrder.deadlineKind, "order.offer"])
            try await world.pool.withTransaction { transaction in
                try await world.operations.endBanned(orders[0].id, at: .thisMillisecond, in: transaction)
            }
            #expect(try await world.details(orders[0].id).state == .preparing)
        }
    }

    /// One that its courier has brought, and its customer has not confirmed.
    private static func brought(_ world: MealWorld) async throws -> Order {
        let courier = try await world.rides.driver(north: 100)
        let order = try await world.preparing()
        #expect(try await world.offer([order], to: courier) == [order.id])
        let fetching = try await world.accept(order, by: courier)
        let carried = try await world.handOver(fetching, fetching.food?.handOverCode)
        _ = try await world.orders.confirm(carried, by: courier)
        return try await world.details(order.id)
    }

    @Test("O13, C5: two workers complete two restaurants' meals crosswise: sales are added last, so neither waits")
    func sales() async throws {
        try await MealWorld.with { first in
            try await first.rides.withAnotherWorker { worker in
                let (second, nonna) = (first.by(worker), try await MealWorld(first.rides))
                let ours = [try await Self.brought(first), try await Self.brought(first)]
                let theirs = [try await Self.brought(nonna), try await Self.brought(nonna)]
                let meanwhile = try await first.pool.withTransaction { transaction in
                    try await Self.end(.confirmation, ours[0], first, in: transaction)
                    let meanwhile = Task {
                        try await second.pool.withTransaction { transaction in
                            try await Self.end(.confirmation, theirs[0], second, in: transaction)
                            try await Self.end(.confirmation, ours[1], second, in: transaction)
                        }
                    }
                    try await eventually("the other worker is done") {
                        try await first.details(ours[1].id).state == .completed
                    }
                    try await Self.end(.confirmation, theirs[1], first, in: transaction)
                    return meanwhile
                }
                try await meanwhile.value
                for order in ours + theirs { #expect(try await first.details(order.id).state == .completed) }
                // Two soups and a bread each.
                for world in [first, nonna] { #expect(try await world.sales().reduce(0) { $0 + $1.count } == 6) }
                try await first.expectConsistency()
            }
        }
    }
}
