import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O1: what is done with orders", .timeLimit(.minutes(15)))
struct OperationTests {
    @Test("O1: an order on its usual way: states, events, deadlines, and the provider who holds it")
    func usualWay() async throws {
        try await OrderWorld.with { world in
            let customer = try await world.addCustomer()
            let provider = try await world.addProvider()
            var order = try await world.request(customer, provider)
            #expect(try await world.deadlines(order.id) == ["order.accept"])
            #expect(try await world.held(provider) == nil)
            order = try await world.accept(order)
            #expect(try await world.deadlines(order.id) == ["order.payment"])
            #expect(try await world.held(provider) == order.id)
            try await world.pay(order.id)
            #expect(try await world.deadlines(order.id) == ["order.arrival"])
            order = try await world.arrive(order)
            #expect(try await world.deadlines(order.id) == ["order.completion"])
            order = try await world.confirm(order, by: provider)
            #expect(order.state == .arrived)
            #expect(try await world.deadlines(order.id) == ["order.confirmation"])
            order = try await world.confirm(order, by: customer)
            #expect(order.state == .completed)
            #expect(try await world.deadlines(order.id) == [])
            #expect(try await world.held(provider) == nil)
            try await world.pay(order.id, .paymentCaptured(.init(method: "card", version: 3)))
            #expect(
                try await world.events(order.id) == [
                    "requested", "accepted", "en_route", "arrived", "confirmed", "completed", "payment_changed",
                ])
            let stored = try await world.details(order.id).order
            #expect(stored.payment == Order.Payment(method: "card", state: .captured, version: 3))
            #expect(stored.version == 7)
            try await world.expectConsistency()
        }
    }

    @Test("what is read back is what was written, and each event has the whole order")
    func stored() async throws {
        try await OrderWorld.with { world in
            let customer = try await world.addCustomer("سالم")
            let provider = try await world.addProvider("نورة")
            let input = RequestOrder.Input(
                market: .assef, customer: customer, provider: provider, services: ["vital-signs", "wound-care"],
                place: Order.Place(latitude: 24.71234567, longitude: 46.67654321, description: "الدور الثاني"))
            func isStored(_ order: Order) async throws -> Bool {
                let stored = try await world.details(order.id).order
                return try Self.onTheWire(stored) == Self.onTheWire(order) && stored.place == order.place
                    && stored.companion == order.companion && stored.isNear == order.isNear
            }
            let now = Date.thisMillisecond
            let order = try await world.pool.withTransaction { transaction in
                try await world.operations.request(input, at: now, in: transaction).order
            }
            #expect(order.lines.map(\.price) == [5_000, 12_000])
            #expect(order.total == 17_000)
            #expect(try await isStored(order))
            let accepted = try await world.pool.withTransaction { transaction in
                try await world.operations.accept(
                    order.id, by: provider, AcceptOrder.Input(companion: "هدى سالم"), at: now, in: transaction
                ).order
            }
            #expect(try await isStored(accepted))
            let events = try await world.pool.query(ReadEvents(order: order.id.text))
            let requested = try JSON.wire.decode(OrderRequested.self, events[0].payload.utf8)
            #expect(requested.order.order == order.id)
            #expect(requested.order.customer.name == "سالم")
            #expect(requested.order.services.map(\.name.texts["ar"]) == ["العلامات الحيوية", "العناية بالجروح"])
            #expect(requested.order.total == Money(amount: 17_000, currency: "SAR"))
            let event = try JSON.wire.decode(OrderAccepted.self, events[1].payload.utf8)
            #expect(event.companion == "هدى سالم")
            #expect(event.order.version == 2)
            #expect(try event.order == Self.onTheWire(accepted))
        }
    }

    private static func onTheWire(_ order: Order) throws -> OrderSnapshot {
        try JSON.wire.decode(OrderSnapshot.self, JSON.wire.encode(OrderSnapshot(order)))
    }

    @Test("C3, I7: only a verified, available provider without an order, who offers the services, can be asked")
    func whoCanBeAsked() async throws {
        try await OrderWorld.with { world in
            let customer = try await world.addCustomer()
            func refusal(_ provider: UUID, _ services: [String] = ["wound-care"]) async throws -> RequestOrder.Refusal?
            {
                let input = RequestOrder.Input(
                    market: .assef, customer: customer, provider: provider, services: services,
                    place: Order.Place(latitude: 24.7, longitude: 46.7, description: nil))
                do {
                    try await world.pool.withTransaction { transaction in
                        _ = try await world.operations.request(input, at: .thisMillisecond, in: transaction)
                    }
                    return nil
                } catch let refusal as RequestOrder.Refusal {
                    return refusal
                }
            }
            #expect(try await refusal(.timeOrdered()) == .providerUnavailable)
            #expect(try await refusal(world.addProvider(isVerified: false)) == .providerUnavailable)
            #expect(try await refusal(world.addProvider(isAvailable: false)) == .providerUnavailable)
            let busy = try await world.order(in: .accepted).assignee
            #expect(try await refusal(busy) == .providerUnavailable)
            let free = try await world.addProvider()
            #expect(try await refusal(free, ["wound-care", "injection"]) == .notOffered(indices: [1]))
            #expect(try await refusal(free, ["dance", "wound-care", "song"]) == .unknownServices(indices: [0, 2]))
            #expect(try await refusal(customer) == .ownProvider)
            #expect(try await refusal(free) == nil)
            // A provider may have several requests at a time.
            #expect(try await refusal(free) == nil)
            let dear = try await world.addProvider(prices: ["wound-care": .max, "vital-signs": 1])
            #expect(try await refusal(dear, ["wound-care", "vital-signs"]) == .totalTooLarge)
        }
    }

    @Test("P2: opening hours and the service area are the settings of the moment")
    func settings() async throws {
        try await OrderWorld.with { world in
            let customer = try await world.addCustomer()
            let provider = try await world.addProvider()
            try await world.set(.openingHours, to: "08:00-20:00")
            // 07:59 and 08:00 in Riyadh.
            let early = Date(
                timeIntervalSince1970: 1_800_000_000 - 1_800_000_000.truncatingRemainder(dividingBy: 86_400))
            let opening = early.addingTimeInterval(5 * 3_600)
            await #expect(throws: RequestOrder.Refusal.marketClosed) {
                _ = try await world.request(customer, provider, at: opening.addingTimeInterval(-60))
            }
            _ = try await world.request(customer, provider, at: opening)
            try await world.set(.openingHours, to: "always")
            try await world.set(.serviceArea, to: "0,0 0,1 1,1 1,0")
            await #expect(throws: RequestOrder.Refusal.outsideArea) {
                _ = try await world.request(customer, provider)
            }
            try await world.set(.serviceArea, to: "24,46 24,47 25,47 25,46")
            try await world.set(.acceptWindowSeconds, to: "7")
            let now = Date.thisMillisecond
            let order = try await world.request(customer, provider, at: now)
            #expect(order.deadline == now.addingTimeInterval(7))
        }
    }

    @Test("O1: a provider holds one order at a time, and whoever lost the market's word takes none")
    func oneAtATime() async throws {
        try await OrderWorld.with { world in
            let provider = try await world.addProvider()
            let first = try await world.request(world.addCustomer(), provider)
            let second = try await world.request(world.addCustomer(), provider)
            _ = try await world.accept(first)
            await #expect(throws: OrderRefusal.providerBusy(.requested)) { _ = try await world.accept(second) }
            await #expect(throws: OrderRefusal.wrongState(.accepted)) { _ = try await world.accept(first) }
            _ = try await world.cancel(first)
            try await world.pool.execute(WithdrawVerification(account: provider))
            await #expect(throws: AcceptOrder.NotVerified()) { _ = try await world.accept(second) }
            #expect(try await world.held(provider) == nil)
            try await world.expectConsistency()
        }
    }

    @Test("Q7: a stranger finds no order, also to accept; the other party is refused what is not its to do")
    func strangers() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .accepted)
            let stranger = try await world.addProvider()
            await #expect(throws: OrderNotFound()) { _ = try await world.accept(order, by: stranger) }
            await #expect(throws: OrderNotFound()) { _ = try await world.confirm(order, by: stranger) }
            await #expect(throws: OrderRefusal.wrongActor) {
                _ = try await world.accept(order, by: order.customer.account)
            }
            #expect(try await world.held(stranger) == nil)
            try await world.expectConsistency()
        }
    }

    @Test("N7: nearness is told once, and only on the way")
    func nearby() async throws {
        try await OrderWorld.with { world in
            func come(_ order: UUID) async throws -> Bool {
                try await world.pool.withTransaction { transaction in
                    try await world.operations.comeNear(
                        order, metresLeft: 420, secondsLeft: 60, at: .thisMillisecond, in: transaction)
                }
            }
            let order = try await world.order(in: .enRoute)
            #expect(try await come(order.id))
            #expect(try await !come(order.id))
            #expect(try await come(.timeOrdered()) == false)
            let waiting = try await world.order(in: .accepted)
            #expect(try await !come(waiting.id))
            let event = try #require(try await world.pool.query(ReadEvents(order: order.id.text)).last)
            let nearby = try JSON.wire.decode(OrderNearby.self, event.payload.utf8)
            #expect(nearby.metresLeft == 420)
            #expect(nearby.secondsLeft == 60)
            try await world.expectConsistency()
        }
    }

    @Test(
        "W6: a payment that is lost while the visit goes on cancels it, frees the provider and tells both",
        arguments: [OrderState.accepted, .enRoute, .arrived])
    func paymentLost(state: OrderState) async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: state)
            let released = OrderTrigger.paymentReleased(.init(method: "card", version: 9))
            for _ in 0..<2 { try await world.pay(order.id, released) }
            // What was held is told late: the news of its loss was faster.
            try await world.pay(order.id, SampleOrder.held(8))
            let stored = try await world.details(order.id).order
            #expect(stored.state == .cancelled && stored.reason == "payment-lost" && stored.by == .system)
            #expect(stored.payment == Order.Payment(method: "card", state: .released, version: 9))
            #expect(stored.deadline == nil)
            #expect(try await world.deadlines(order.id) == [])
            #expect(try await world.held(order.assignee) == nil)
            #expect(try await world.events(order.id).last == "cancelled")
            #expect(try await world.events(order.id).count == order.version + 1)
            _ = try await world.accept(try await world.request(world.addCustomer(), order.assignee))
            try await world.expectConsistency()
        }
    }

    @Test("W6: a payment that is lost after the work is done leaves the order completed, and not paid")
    func paymentLostAfterwards() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .completed)
            try await world.pay(order.id, .paymentReleased(.init(method: "card", version: 9)))
            let stored = try await world.details(order.id).order
            #expect(stored.state == .completed && stored.payment.state == .released)
            #expect(try await world.events(order.id).suffix(2) == ["completed", "payment_changed"])
            try await world.expectConsistency()
        }
    }

    @Test("W6: news of the wallet that comes twice, late or after the end changes nothing")
    func repeatedPayments() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .accepted)
            try await world.pay(order.id, SampleOrder.held(2))
            try await world.pay(order.id, SampleOrder.held(2))
            #expect(try await world.details(order.id).order.version == 3)
            let cancelled = try await world.cancel(try await world.order(in: .accepted))
            // Released before what was held arrives.
            try await world.pay(cancelled.id, .paymentReleased(.init(method: "card", version: 3)))
            try await world.pay(cancelled.id, SampleOrder.held(2))
            let stored = try await world.details(cancelled.id).order
            #expect(stored.state == .cancelled)
            #expect(stored.payment.state == .released)
            await #expect(throws: PoisonMessage.self) { try await world.pay(.timeOrdered()) }
            try await world.expectConsistency()
        }
    }
}
