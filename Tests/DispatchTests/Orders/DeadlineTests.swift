import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O12: deadlines of orders", .timeLimit(.minutes(15)))
struct DeadlineTests {
    /// Long ago, so that the wait is over.
    static let past = Date.thisMillisecond.addingTimeInterval(-100_000)

    @Test("O1, O12: each wait ends by itself, with the reason, and the provider is free")
    func outcomes() async throws {
        try await OrderWorld.with { world in
            let requested = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            let accepted = try await world.accept(try await world.order(in: .requested), at: Self.past)
            let keys: [MarketSettings.Key] = [
                .arrivalWindowSeconds, .completionWindowSeconds, .confirmationWindowSeconds,
            ]
            for key in keys { try await world.set(key, to: "1") }
            let enRoute = try await world.order(in: .enRoute)
            let silent = try await world.order(in: .arrived)
            let half = try await world.order(in: .arrived)
            _ = try await world.confirm(half, by: half.customer.account, at: half.changedAt)
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
                (enRoute, .cancelled, "no-show"), (silent, .cancelled, "nobody-confirmed"),
                (half, .completed, "confirmation-window-over"),
            ]
            for (order, state, reason) in expected {
                let ended = try await world.details(order.id).order
                #expect(ended.state == state)
                #expect(ended.reason == reason)
                #expect(ended.by == .system)
                #expect(try await world.held(order.assignee) == nil)
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
            // The window has just ended, and the provider's answer came before that.
            let start = Date.thisMillisecond.addingTimeInterval(-121)
            let order = try await world.request(world.addCustomer(), world.addProvider(), at: start)
            let other = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            try await world.pool.withTransaction { transaction in
                _ = try await world.operations.accept(
                    order.id, by: order.assignee, AcceptOrder.Input(), at: start.addingTimeInterval(60),
                    in: transaction)
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

    @Test(
        "O8, O12: a round that gives up what somebody has in hand leaves its deadline, which may be a later one by now")
    func givenUp() async throws {
        try await OrderWorld.with { world in
            let order = try await world.request(world.addCustomer(), world.addProvider())
            func due() async throws -> Date? {
                try await world.pool.query(ReadDeadlines(order: order.id.text)).first { $0.kind == "order.accept" }?
                    .dueAt
            }
            let before = try #require(try await due())
            try await world.pool.withTransaction { transaction in
                transaction.send(LockOrder(order: order.id))
                _ = try await transaction.first(FindOrder(order: order.id))
                let now = Date.thisMillisecond
                try await world.pool.withTransaction { other in
                    try await world.operations.endWindow(
                        .accept, of: order.id, due: now, at: now, looksAgain: false, in: other)
                }
            }
            #expect(try await due() == before)
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
                for window in [OrderWindow.completion, .confirmation] {
                    try await world.operations.endWindow(window, of: order.id, due: end, at: end, in: transaction)
                }
                try await world.operations.endWindow(.accept, of: order.id, due: end, at: end, in: transaction)
                try await world.operations.endWindow(.accept, of: .timeOrdered(), due: end, at: end, in: transaction)
            }
            #expect(try await world.state(order.id) == .arrived)
            try await world.expectConsistency()
        }
    }

    @Test("P3a: from its end on a window binds, also when its deadline has not fired yet")
    func binding() async throws {
        try await OrderWorld.with { world in
            // Nothing fires here: as after an outage, when requests come before the runner has looked.
            let requested = try await world.request(world.addCustomer(), world.addProvider(), at: Self.past)
            await #expect(throws: OrderRefusal.tooLate(.requested)) { _ = try await world.accept(requested) }
            #expect(try await world.held(requested.assignee) == nil)
            let arrived = try await world.order(in: .arrived, at: Self.past)
            for account in [arrived.customer.account, arrived.assignee] {
                await #expect(throws: OrderRefusal.tooLate(.arrived)) {
                    _ = try await world.confirm(arrived, by: account)
                }
            }
            #expect(try await world.details(arrived.id).order.confirmedBy == [])
            try await world.whileFiring {
                try await eventually("both end as their windows say") {
                    let states = (try await world.state(requested.id), try await world.state(arrived.id))
                    return states == (.expired, .cancelled)
                }
            }
            #expect(try await world.events(requested.id) == ["requested", "expired"])
            try await world.expectConsistency()
        }
    }

    @Test("P3a, W6: a payment that is held when its window is over ends the order, which gives it back")
    func latePayment() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .accepted, at: Self.past)
            try await world.pay(order.id)
            let ended = try await world.details(order.id).order
            #expect(ended.state == .expired && ended.reason == "payment-window-over" && ended.by == .system)
            #expect(try await world.held(order.assignee) == nil)
            #expect(try await world.deadlines(order.id) == [])
            // Once more, and the wallet's answer to the end.
            try await world.pay(order.id)
            try await world.pay(order.id, .paymentReleased(.init(method: "card", version: 3)))
            #expect(try await world.details(order.id).order.payment.state == .released)
            #expect(
                try await world.events(order.id) == ["requested", "accepted", "expired", "payment_changed"])
            // News of a payment that has been heard is no reason to end a later wait.
            let enRoute = try await world.order(in: .enRoute, at: Self.past)
            try await world.pay(enRoute.id)
            try await world.pay(enRoute.id, SampleOrder.held(9))
            #expect(try await world.state(enRoute.id) == .enRoute)
            try await world.expectConsistency()
        }
    }
}
