import Contracts
import Foundation
import Phones
import TestKit
import Testing

/// Everything that can come twice does. (Webhooks come three times in every flow test.)
@Suite("Repeats", .platform(), .timeLimit(.minutes(15)))
struct RepeatFlowTests {
    @Test("W6: every POST of a visit sent twice at once with one key has one effect and one answer")
    func posts() async throws {
        let pair = try await Pair.meet()
        let customer = pair.customer.phone
        let provider = pair.provider.phone
        try await customer.until("the nurse is on the list") {
            try await customer.providers(in: "assef", for: Pair.services, near: Pair.home)
                .contains { $0.provider == pair.provider.account }
        }
        let form = OrderForm(
            market: "assef", provider: pair.provider.account, services: Pair.services, at: Pair.home,
            total: Money(amount: Pair.total, currency: "SAR"))
        let made = try await twice { key in try await customer.order(form, key: key) }
        #expect(made.0.id == made.1.id)
        let order = made.0.id
        #expect(try await customer.orders(as: "customer", section: "active").items.count == 1)
        try await pair.both(order, .requested)
        _ = try await twice { key in try await provider.act("accept", on: order, key: key) }
        try await pair.both(order, .accepted)
        try await customer.until("the wallet asks for the payment") {
            do { return try await customer.payment(of: order).state == "due" } catch let refusal as Refusal
                where refusal.status == 404
            { return false }
        }
        let card = pair.card.card
        _ = try await twice { key in try await customer.pay(order, by: "card", card: card, key: key) }
        try await pair.both(order, .enRoute)
        try await customer.act("met", on: order)
        _ = try await twice { key in try await provider.act("arrive", on: order, key: key) }
        _ = try await twice { key in try await provider.act("complete", on: order, key: key) }
        _ = try await twice { key in try await customer.act("complete", on: order, key: key) }
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
        let versions = pair.customer.stream.log.entries.compactMap { entry -> Int? in
            if case .order(let view) = entry.event { view.version } else { nil }
        }
        #expect(versions.count == Set(versions).count)
        #expect(versions == versions.sorted())
    }

    @Test("W6: the same key with other words is refused and changes nothing")
    func otherWords() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.requested()
        let key = UUID().uuidString.lowercased()
        try await pair.provider.phone.act("accept", on: order, ["companion": "Sara"], key: key)
        try await refuses(422) {
            try await pair.provider.phone.act("accept", on: order, ["companion": "Nora"], key: key)
        }
        #expect(try await pair.provider.phone.order(order).companion == "Sara")
    }

    @Test("W5: a top-up sent twice fills the wallet once")
    func topUps() async throws {
        let pair = try await Pair.meet()
        let card = pair.card.card
        let made = try await twice { key in
            try await pair.customer.phone.topUp(10_000, market: "assef", card: card, key: key)
        }
        #expect(made.0.topUp == made.1.topUp)
        try await eventually("it is done") {
            try await pair.customer.phone.topUp(made.0.topUp).state == "completed"
        }
        #expect(try await pair.customer.phone.balance(in: "SAR") == 10_000)
    }

    @Test("O1: both parties completing at the same moment complete it once")
    func bothComplete() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.arrived()
        async let first: OrderView = pair.provider.phone.act("complete", on: order)
        async let second: OrderView = pair.customer.phone.act("complete", on: order)
        let views = try await [first, second]
        #expect(views.filter { $0.state == .completed }.count == 1)
        try await pair.paidOut(order)
        #expect(try await pair.balances() == [0, Pair.total - Pair.commission])
        let ends = pair.customer.stream.log.entries.filter { entry in
            if case .order(let view) = entry.event { view.event == "dispatch.order.completed.v1" } else { false }
        }
        #expect(ends.count == 1)
    }

    private func twice<Value: Sendable>(
        _ send: @escaping @Sendable (String) async throws -> Value
    ) async throws -> (Value, Value) {
        let key = UUID().uuidString.lowercased()
        async let other = send(key)
        let first = try await send(key)
        return (first, try await other)
    }
}

@Suite("Messages that come twice", .platform(), .serialized, .timeLimit(.minutes(15)))
struct CopiedMessageTests {
    @Test(
        "W6, N3: with every message delivered twice each visit has one effect",
        arguments: [
            EventCopies.Kind.sameMessage, .anotherMessage,
        ])
    func copies(kind: EventCopies.Kind) async throws {
        let platform = try Platform.ofSuite()
        try await EventCopies.with(platform.host, kind) { copies in
            let before = try await OutsideMoney.now(platform)
            let pair = try await Pair.meet(on: platform)
            // The nurse has paid her subscription by card.
            let capturedBefore = try await OutsideMoney.now(platform).captured
            try await pair.fill(100_000)
            _ = try await pair.completed(by: "card")
            _ = try await pair.completed(by: "wallet")
            let cancelled = try await pair.accepted()
            try await pair.customer.phone.act("cancel", on: cancelled)
            try await pair.both(cancelled, .cancelled)
            _ = try await pair.completed(by: "cash")
            #expect(copies.counts["dispatch.order.completed.v1", default: 0] >= 3)
            // The last copies come within a second.
            try await Task.sleep(for: .seconds(2))
            #expect(
                try await pair.balances()
                    == [100_000 - Pair.total, 2 * (Pair.total - Pair.commission) - Pair.commission])
            // At the payment provider the top-up and the one card payment have been taken, once.
            let outside = try await eventually("every webhook is delivered") {
                try await OutsideMoney.now(platform)
            } satisfies: {
                $0.pendingWebhooks == 0
            }
            #expect(outside.captured - capturedBefore == 100_000 + Pair.total)
            #expect(outside.held == before.held)
            #expect(outside.deliveredWebhooks - before.deliveredWebhooks >= 3 * 3)
            let desk = try await AdminDesk.signIn(platform)
            let ledger = try await desk.ledger(of: "SAR")
            #expect(ledger?.sum == 0 && ledger?.heldInEscrow == 0)
            // Nobody sends a message anew with another id; the money stands even so, and the stream may repeat itself.
            guard kind == .sameMessage else { return }
            for (role, phone, stream) in pair.phones {
                let ids = stream.log.entries.compactMap(\.id)
                #expect(ids.count == Set(ids).count)
                let told = stream.log.entries.compactMap { entry -> String? in
                    if case .order(let view) = entry.event { "\(view.id) \(view.version)" } else { nil }
                }
                #expect(told.count == Set(told).count, "\(role)")
                let items = try await phone.inbox().map { "\($0.order?.path ?? "") \($0.subject)" }
                #expect(items.count == Set(items).count, "\(role): \(items)")
            }
        }
        for service in Platform.services {
            for queue in ["dead", "events.dead", "commands.dead"] {
                #expect(try await platform.host.queueDepth("\(service).\(queue)") ?? 0 == 0, "\(service)")
            }
        }
    }
}
