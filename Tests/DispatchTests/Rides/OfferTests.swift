import Contracts
import Foundation
import Postgres
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O8, O13: offers whose time goes on while drivers are claimed", .timeLimit(.minutes(15)))
struct OfferTests {
    @Test("O13: an offer begins when its driver is claimed, not when the round began, so no two of a driver overlap")
    func begin() async throws {
        try await RideWorld.with { world in
            let driver = try await world.driver(north: 100)
            let order = try await world.ride()
            let pair = OfferOrders.Pair(order: order.id, provider: driver)
            let made = try await offer([pair], in: world, at: order.changedAt + 1, claimedAt: order.changedAt + 3)
            #expect(made == [pair])
            #expect(try await world.details(order.id).changedAt == order.changedAt + 3)
        }
    }

    @Test("O8: a search that ends while drivers are claimed makes no offer, keeps no driver and spoils no other's")
    func lateOffer() async throws {
        try await RideWorld.with { world in
            let drivers = [try await world.driver(north: 100), try await world.driver(north: 200)]
            let begin = Date.thisMillisecond
            let late = try await world.ride(at: begin - 100)
            let other = try await world.ride(at: begin)
            let pairs = zip([late, other], drivers).map { OfferOrders.Pair(order: $0.id, provider: $1) }
            let end = try #require(late.deadline)
            let made = try await offer(pairs, in: world, at: end - 1, claimedAt: end)
            #expect(made == [pairs[1]])
            #expect(try await world.details(late.id).state == .requested)
            #expect(try await world.orders.held(drivers[0]) == nil)
            #expect(try await world.orders.held(drivers[1]) == other.id)
            try await world.expectConsistency()
        }
    }

    /// Offers, while the time goes on during the claim of the drivers.
    private func offer(
        _ pairs: [OfferOrders.Pair], in world: RideWorld, at begin: Date, claimedAt end: Date
    ) async throws -> Set<OfferOrders.Pair> {
        let clock = SetClock(begin)
        let made = try await world.pool.withTransaction { transaction in
            // The claim is what reads them first.
            try await transaction.execute(LockPeople())
            let made = Task {
                try await world.pool.withTransaction { transaction in
                    try await world.orders.operations.offer(
                        pairs, in: .btnc, needsSubscription: false, at: { clock.now }, in: transaction)
                }
            }
            try await eventually("the claim waits") { try await world.pool.first(CountLockWaits()) == 1 }
            clock.set(end)
            return made
        }
        return try await made.value
    }
}

private final class SetClock: Sendable {
    private let time: Mutex<Date>
    init(_ time: Date) { self.time = Mutex(time) }
    var now: Date { time.withLock { $0 } }
    func set(_ time: Date) { self.time.withLock { $0 = time } }
}

private struct LockPeople: Statement {
    static let sql: SQL = "LOCK TABLE people IN ACCESS EXCLUSIVE MODE"
}
