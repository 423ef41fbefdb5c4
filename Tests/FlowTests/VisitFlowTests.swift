import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A visit", .platform(), .timeLimit(.minutes(15)))
struct VisitFlowTests {
    @Test("O1, P6: a visit goes from request to completion, and both streams tell every step")
    func whole() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.completed()
        for (role, phone, stream) in pair.phones {
            #expect(
                pair.states(order, on: stream) == [.requested, .accepted, .enRoute, .arrived, .completed], "\(role)")
            let view = try await phone.order(order)
            #expect(view.state == .completed && view.snapshot.payment == .init(method: "card", state: .captured))
            #expect(Set(view.snapshot.confirmedBy) == [.customer, .provider])
            #expect(view.snapshot.total == Money(amount: Pair.total, currency: "SAR"))
        }
    }

    @Test("W6: a card's money is held when it is paid, and divided when the visit is completed")
    func card() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.arrived()
        #expect(try await pair.customer.phone.payment(of: order).state == "held")
        #expect(try await pair.balances() == [0, 0])
        try await pair.customer.phone.act("complete", on: order)
        try await pair.provider.phone.act("complete", on: order)
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
        #expect(try await pair.customer.phone.payment(of: order).state == "captured")
    }

    @Test("W6: the wallet's money is held at once, and divided when the visit is completed")
    func wallet() async throws {
        let pair = try await Pair.meet()
        try await pair.fill(50_000)
        let order = try await pair.enRoute(by: "wallet")
        let held = try await pair.customer.phone.wallets().first { $0.currency == "SAR" }
        #expect(held?.held == Pair.total)
        try await pair.customer.phone.act("met", on: order)
        try await pair.provider.phone.act("arrive", on: order)
        try await pair.provider.phone.act("complete", on: order)
        try await pair.customer.phone.act("complete", on: order)
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [50_000 - Pair.total, Pair.total - Pair.commission])
    }

    @Test("O1: with cash the commission is taken from the provider's wallet on completion")
    func cash() async throws {
        let pair = try await Pair.meet()
        _ = try await pair.completed(by: "cash")
        #expect(try await pair.balances() == [0, -Pair.commission])
    }

    @Test("O1: a provider may decline, and the customer is told")
    func declined() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.requested()
        try await pair.provider.phone.act("decline", on: order, ["reason": "not today"])
        try await pair.both(order, .refused)
        try await refuses(409, state: "refused") { try await pair.customer.phone.act("cancel", on: order) }
        try await refuses(409, state: "refused") { try await pair.provider.phone.act("accept", on: order) }
    }

    @Test("O1: a customer cancels free while waiting")
    func cancelledWhileRequested() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.requested()
        try await pair.customer.phone.act("cancel", on: order, ["reason": "changed my mind"])
        try await pair.both(order, .cancelled)
        try await refuses(409, state: "cancelled") { try await pair.provider.phone.act("accept", on: order) }
    }

    @Test("O1: a customer cancels free while accepted, and the provider is free again")
    func cancelledWhileAccepted() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.accepted()
        try await pair.customer.phone.act("cancel", on: order)
        try await pair.both(order, .cancelled)
        _ = try await pair.accepted()
    }

    @Test("W6: what was paid for an order that ends before it begins goes back")
    func releasedAfterRace() async throws {
        let pair = try await Pair.meet()
        try await pair.fill(50_000)
        let order = try await pair.accepted()
        // Both at once: either the visit goes on, paid, or it is cancelled and the money is back.
        async let paying: Void = pair.pay(order, by: "wallet")
        async let cancelling: OrderView? = { () async throws -> OrderView? in
            do { return try await pair.customer.phone.act("cancel", on: order) } catch let refusal as Refusal
                where refusal.status == 409
            { return nil }
        }()
        do { try await paying } catch let refusal as Refusal where refusal.status == 409 {}
        let cancelled = try await cancelling
        if cancelled != nil {
            try await pair.both(order, .cancelled)
            try await eventually("the money is back") {
                let wallet = try await pair.customer.phone.wallets().first { $0.currency == "SAR" }
                return wallet?.balance == 50_000 && wallet?.held == 0
            }
        } else {
            try await pair.both(order, .enRoute)
        }
    }

    @Test("O1: a provider holds one order at a time")
    func oneAtATime() async throws {
        let pair = try await Pair.meet()
        let other = try await CustomerPhone.register(
            Person("Laila"), in: Pair.market.id, on: pair.platform.network)
        let first = try await pair.requested()
        let second = try await other.request(pair.provider.account, services: Pair.services, at: Pair.home)
        try await pair.provider.stream.order(second.id, is: .requested)
        try await pair.provider.phone.act("accept", on: first)
        try await refuses(409) { try await pair.provider.phone.act("accept", on: second.id) }
        try await pair.customer.phone.act("cancel", on: first)
        try await pair.provider.phone.act("accept", on: second.id)
        try await other.stream.order(second.id, is: .accepted)
    }

    @Test("O1: the companion's name is for admins; the customer is not shown it")
    func companion() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.accepted(companion: "Sara Al-Qahtani")
        #expect(try await pair.customer.phone.order(order).companion == nil)
        #expect(try await pair.provider.phone.order(order).companion == "Sara Al-Qahtani")
        let raw = try await pair.customer.phone.send(.get("/dispatch/v1/orders/\(order.path)"))
        #expect(!String(decoding: raw.body, as: UTF8.self).contains("Sara"))
        for entry in pair.customer.stream.log.entries {
            if case .order(let view) = entry.event { #expect(view.companion == nil) }
        }
        try await eventually("the admin sees it") {
            try await pair.desk.phone.adminOrder(order).companion == "Sara Al-Qahtani"
        }
    }

    @Test("O4: one sees the other's rating once one's own is given, and the average is on the list")
    func ratings() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.completed()
        try await pair.customer.phone.rate(order, stars: 4, serviceStars: 5, comment: "Kind and quick")
        try await refuses(409) { try await pair.customer.phone.rate(order, stars: 1) }
        let before = try await pair.provider.phone.send(.get("/dispatch/v1/orders/\(order.path)"))
        #expect(!String(decoding: before.body, as: UTF8.self).contains("Kind and quick"))
        try await pair.provider.phone.rate(order, stars: 5)
        let after = try await pair.provider.phone.send(.get("/dispatch/v1/orders/\(order.path)"))
        #expect(String(decoding: after.body, as: UTF8.self).contains("Kind and quick"))
        try await eventually("the average is on the list") {
            let listed = try await pair.customer.phone.providers(
                in: Pair.market.id, for: Pair.services, near: Pair.home
            ).first { $0.provider == pair.provider.account }
            return listed?.rating == 4 && listed?.ratingCount == 1
        }
    }

    @Test("O5: lists hold the order where it belongs, before and after its end")
    func lists() async throws {
        let pair = try await Pair.meet()
        func sections() async throws -> [[UUID]] {
            [
                try await pair.customer.phone.orders(as: "customer", section: "active").items.map(\.id),
                try await pair.customer.phone.orders(as: "customer", section: "inactive").items.map(\.id),
                try await pair.provider.phone.orders(as: "provider", section: "new").items.map(\.id),
                try await pair.provider.phone.orders(as: "provider", section: "past").items.map(\.id),
            ]
        }
        let order = try await pair.requested()
        #expect(try await sections() == [[order], [], [order], []])
        try await pair.customer.phone.act("cancel", on: order)
        #expect(try await sections() == [[], [order], [], [order]])
    }

    @Test("O6: the customer sees the provider come nearer, on the stream and when asking; before that nothing")
    func tracking() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.enRoute()
        let mark = pair.customer.stream.log.count
        let near = Coordinate(latitude: 24.7150, longitude: 46.6760)
        var place: ProviderOnTheWay?
        // Positions may be lost on their way, as they may on the air; the next one comes.
        try await eventually("the position is on the stream", poll: .milliseconds(300)) {
            try await pair.provider.phone.post(position: near)
            for entry in pair.customer.stream.log.entries.dropFirst(mark) {
                if case .position(let seen) = entry.event, seen.order == order { place = seen }
            }
            return place != nil
        }
        #expect(place?.latitude == near.latitude && place?.longitude == near.longitude)
        #expect((100...400).contains(place?.metresLeft ?? 0))
        let asked = try await pair.customer.phone.tracking(order)
        #expect(asked.position?.latitude == near.latitude)
        #expect(try await pair.provider.phone.tracking(order).metresLeft == asked.metresLeft)
    }

    @Test("N1: both inboxes tell of the visit, once for each thing, and open the order")
    func inbox() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.completed()
        for (role, phone, stream) in pair.phones {
            try await eventually("\(role): the stream told what the inbox holds") {
                let items = try await phone.inbox()
                let told = stream.log.entries.compactMap { entry -> String? in
                    if case .inbox(let item) = entry.event { item.id } else { nil }
                }
                return !items.isEmpty && told.count == Set(told).count && Set(told) == Set(items.map(\.id))
            }
            let items = try await phone.inbox()
            #expect(items.allSatisfy { $0.order == order || $0.order == nil }, "\(role)")
            #expect(Set(items.map(\.subject)).count == items.count, "\(role): \(items.map(\.subject))")
            #expect(try await phone.unreadCount() == items.count)
            try await phone.send(try .post("/notifications/v1/inbox/read"))
            #expect(try await phone.unreadCount() == 0)
            try await phone.send(.delete("/notifications/v1/inbox"))
            #expect(try await phone.inbox().isEmpty)
        }
    }

    @Test("N3: a stream that breaks goes on after the last event, and nothing is missed or told twice")
    func resumed() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.accepted()
        await pair.customer.stream.close()
        try await pair.pay(order)
        try await pair.provider.stream.order(order, is: .enRoute)
        try await pair.customer.phone.act("met", on: order)
        try await pair.provider.phone.act("arrive", on: order)
        pair.customer.stream.reopen()
        try await pair.customer.stream.order(order, is: .arrived)
        await pair.customer.stream.interrupt()
        await pair.customer.stream.interrupt()
        try await pair.customer.phone.act("complete", on: order)
        try await pair.provider.phone.act("complete", on: order)
        try await pair.both(order, .completed)
        #expect(
            pair.states(order, on: pair.customer.stream) == [.requested, .accepted, .enRoute, .arrived, .completed])
        let ids = pair.customer.stream.log.entries.compactMap(\.id)
        #expect(ids.count == Set(ids).count)
    }
}
