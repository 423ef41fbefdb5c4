import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O12: deadlines of orders", .timeLimit(.minutes(3)))
struct DeadlineTests {
    /// Long ago, so that the wait is over.
    static let past = Date.thisMillisecond.addingTimeInterval(-100_000)

    @Test("O1, O12: each wait ends by itself, with the reason, and the provider is free")
    func outcomes() async throws {
        try await OrderWorld.with { world in
            let requested = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            let accepted = try await world.accept(try await world.order(in: .requested), at: Self.past)
            for key in [MarketSettings.Key.arrivalWindowSeconds, .confirmationWindowSeconds] {
                try await world.set(key, to: "1")
            }
            let enRoute = try await world.order(in: .enRoute)
            let silent = try await world.order(in: .arrived)
            let half = try await world.order(in: .arrived)
            _ = try await world.confirm(half, by: half.customer.account)
            let waiting = try await world.order(in: .requested)
            try await world.whileFiring {
                for order in [requested, accepted, enRoute, silent, half] {
                    try await eventually("\(order.id.text) has ended") {
                        try await world.state(order.id)?.isFinal == true
                    }
                }
            }
            let expected: [(Order, OrderState, String)] = [
                (requested, .expired, "accept-window-over"), (accepted, .expired, "payment-window-over"),
                (enRoute, .cancelled, "no-show"), (silent, .completed, "confirmation-window-over"),
                (half, .completed, "confirmation-window-over"),
            ]
            for (order, state, reason) in expected {
                let ended = try await world.details(order.id).order
                #expect(ended.state == state)
                #expect(ended.reason == reason)
                #expect(ended.by == .system)
                #expect(try await world.held(order.provider.account) == nil)
            }
            #expect(try await world.details(half.id).order.confirmedBy == [.customer])
            #expect(try await world.state(waiting.id) == .requested)
            try await world.expectConsistency()
        }
    }

    @Test("O12: a deadline that passed while no process ran fires when one is back, once, whoever takes it")
    func survives() async throws {
        try await OrderWorld.with { world in
            var orders: [Order] = []
            for _ in 0..<10 {
                orders.append(try await world.request(world.addCustomer(), world.addProvider(), at: Self.past))
            }
            try await world.database.terminateAllSessions()
            try await world.withAnotherProcess { first in
                try await world.withAnotherProcess { second in
                    try await first.whileFiring {
                        try await second.whileFiring {
                            for order in orders {
                                try await eventually("it expired") { try await first.state(order.id) == .expired }
                            }
                        }
                    }
                    for order in orders { #expect(try await first.events(order.id) == ["requested", "expired"]) }
                    try await first.expectConsistency()
                }
            }
        }
    }

    @Test("O12: a deadline of an order that is just being changed waits its turn and then looks at what it became")
    func locked() async throws {
        try await OrderWorld.with { world in
            let order = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            let other = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            try await world.pool.withTransaction { transaction in
                _ = try await world.operations.accept(
                    order.id, by: order.provider.account, companion: nil, at: .thisMillisecond, in: transaction)
                // The lock is held; the runner goes on with others and does not wait for it.
                try await world.withAnotherProcess { runner in
                    try await runner.whileFiring {
                        try await eventually("the other one expired") { try await runner.state(other.id) == .expired }
                    }
                }
            }
            try await world.whileFiring {
                try await eventually("the old deadline is gone") {
                    try await world.deadlines(order.id) == ["order.payment"]
                }
            }
            #expect(try await world.state(order.id) == .accepted)
            try await world.expectConsistency()
        }
    }

    @Test("O12: an old deadline does not end a wait that began anew")
    func stale() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .arrived)
            let end = try #require(order.deadline)
            _ = try await world.confirm(order, by: order.customer.account, at: end.addingTimeInterval(-1))
            try await world.pool.withTransaction { transaction in
                try await world.operations.endWindow(.confirmation, of: order.id, due: end, at: end, in: transaction)
                try await world.operations.endWindow(.accept, of: order.id, due: end, at: end, in: transaction)
                try await world.operations.endWindow(.accept, of: .timeOrdered(), due: end, at: end, in: transaction)
            }
            #expect(try await world.state(order.id) == .arrived)
            try await world.expectConsistency()
        }
    }
}
