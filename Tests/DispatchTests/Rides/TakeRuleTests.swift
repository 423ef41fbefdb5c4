import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// What rounds and the list of requests keep to, who takes an order keeps to as well.
@Suite("O8, O9: who may take what is searched for", .timeLimit(.minutes(15)))
struct TakeRuleTests {
    @Test("O8: who was asked for a ride and declined, or gave it up, does not take it; another does")
    func asked() async throws {
        try await RideWorld.with { world in
            let (first, second) = (try await world.driver(north: 100), try await world.driver(north: 200))
            let order = try await world.ride()
            #expect(try await world.offer(order, to: first))
            try await world.decline(order, by: first)
            await #expect(throws: OrderNotFound()) { try await world.take(order, by: first) }
            #expect(try await world.take(order, by: second).state == .accepted)
            _ = try await world.pool.withTransaction { transaction in
                try await world.orders.operations.change(
                    .giveUp(reason: nil), of: order.id, by: second, at: .thisMillisecond, in: transaction)
            }
            await #expect(throws: OrderNotFound()) { try await world.take(order, by: second) }
            #expect(try await world.details(order.id).state == .requested)
            let third = try await world.driver(north: 300)
            #expect(try await world.take(order, by: third).state == .accepted)
            try await world.expectConsistency()
        }
    }

    @Test("O8, P2: while the market is closed nothing is listed, nor taken")
    func closed() async throws {
        try await OrderServer.with { server in
            let world = RideWorld(server.world)
            let driver = try await server.person(try await world.driver(north: 100), roles: ["provider"], in: "btnc")
            let order = try await world.ride()
            let requests = "/dispatch/v1/markets/btnc/requests"
            #expect(try await server.get(requests, as: driver).items.count == 1)
            // It opens in two hours, for one.
            let minute = try #require(LocalTime.minuteOfDay(of: Date(), in: Market.btnc.defaults.timeZone))
            let hours = OpeningHours(openMinute: (minute + 120) % 1_440, closeMinute: (minute + 180) % 1_440)
            try await world.set(.openingHours, to: hours.text)
            #expect(try await server.get(requests, as: driver).problem == "market-closed")
            #expect(try await server.act("take", order.id, as: driver).problem == "market-closed")
            #expect(try await world.details(order.id).state == .requested)
            try await world.set(.openingHours, to: "always")
            #expect(try await server.act("take", order.id, as: driver)["state"]?.text == "accepted")
        }
    }

    @Test("O9: a meal is not taken before its courier would have to set out, unless it is ready")
    func early() async throws {
        try await MealWorld.with { world in
            let courier = try await world.rides.driver(north: 100)
            let order = try await world.preparing(30)
            await #expect(throws: OrderNotFound()) { try await world.rides.take(order, by: courier) }
            try await world.ready(order)
            #expect(try await world.rides.take(order, by: courier).state == .accepted)
        }
    }
}
