import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O2, O3: how orders end before they are done", .timeLimit(.minutes(15)))
struct EndingTests {
    @Test("O2: a fined cancellation is stored, and its event tells the wallet the fine")
    func fined() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            try await world.drive(order.id, metres: 12_345.6)
            let refusal = CancelOrder.FineNotAccepted(
                fine: LateCancellationFee(metres: 12_345, amount: 617), currency: "SAR", hasGrown: false)
            await #expect(throws: refusal) { _ = try await world.cancel(order) }
            #expect(try await world.state(order.id) == .enRoute)
            let cancelled = try await world.cancel(order, accepting: 617)
            #expect(cancelled.ending?.fine == LateCancellationFee(metres: 12_345, amount: 617))
            let stored = try await world.details(order.id).order
            #expect(stored.ending?.fine == cancelled.ending?.fine && stored.ending?.by == .customer)
            #expect(stored.paidTo == .customer)
            let event = try #require(try await world.pool.query(ReadEvents(order: order.id.text)).last)
            let told = try JSON.wire.decode(OrderCancelled.self, event.payload.utf8)
            #expect(told.order.fine == Money(amount: 617, currency: "SAR"))
            #expect(told.order.report == nil && told.order.outcome == nil)
            #expect(try await world.held(order.assignee) == nil)
            #expect(try await world.deadlines(order.id) == [])
            // The wallet gives the price back afterwards, and the ending stays.
            try await world.pay(order.id, .paymentReleased(.init(method: "card", version: 9)))
            #expect(try await world.details(order.id).order.ending == stored.ending)
            try await world.expectConsistency()
        }
    }

    @Test("O2: the rate is the market's of the moment, and what was shown binds though the provider drives on")
    func rate() async throws {
        try await OrderWorld.with { world in
            try await world.set(.finePerKilometre, to: "300")
            let order = try await world.order(in: .enRoute)
            try await world.drive(order.id, metres: 2_000)
            let quotes = QuoteCancellation(pool: world.pool, markets: world.markets)
            let now = Date.thisMillisecond
            let shown = try await quotes(order.id, for: order.customer.account, at: now)
            #expect(shown.quote.fine == LateCancellationFee(metres: 2_000, amount: 600) && shown.perKilometre == 300)
            #expect(shown.quote.until == now + 60)
            try await world.drive(order.id, metres: 2_500)
            let late = shown.quote.until
            await #expect(throws: CancelOrder.FineNotAccepted.self) {
                _ = try await world.cancel(order, accepting: 600, quote: shown.quote, at: late)
            }
            let cancelled = try await world.cancel(order, accepting: 600, quote: shown.quote, at: now)
            #expect(cancelled.ending?.fine == LateCancellationFee(metres: 2_000, amount: 600))
        }
    }

    @Test("O2: before the way it is free; who may not cancel is told so when asking what it costs")
    func quotes() async throws {
        try await OrderWorld.with { world in
            let quotes = QuoteCancellation(pool: world.pool, markets: world.markets)
            for state in [OrderState.requested, .accepted] {
                let order = try await world.order(in: state)
                try await world.drive(order.id, metres: 5_000)
                let answer = try await quotes(order.id, for: order.customer.account, at: .thisMillisecond)
                #expect(answer.quote.fine == .none)
                #expect(try await world.cancel(order).ending?.fine == nil)
            }
            let arrived = try await world.order(in: .arrived)
            await #expect(throws: OrderRefusal.wrongState(.arrived)) {
                _ = try await quotes(arrived.id, for: arrived.customer.account, at: .thisMillisecond)
            }
            await #expect(throws: OrderRefusal.wrongActor) {
                _ = try await quotes(arrived.id, for: arrived.assignee, at: .thisMillisecond)
            }
            await #expect(throws: OrderNotFound()) {
                _ = try await quotes(arrived.id, for: .timeOrdered(), at: .thisMillisecond)
            }
        }
    }

    /// The database keeps microseconds, so times are the same within one.
    private static func isTooEarly(_ refusal: OrderRefusal?, until end: Date) -> Bool {
        guard case .tooEarly(let until) = refusal else { return false }
        return abs(until.timeIntervalSince(end)) < 0.000_01
    }

    @Test("P3a: a customer who is not there pays the way, and the provider is free")
    func missed() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .arrived)
            try await world.drive(order.id, metres: 3_000)
            let arrivedAt = try #require(order.arrivedAt)
            let early = await #expect(throws: OrderRefusal.self) { _ = try await world.miss(order) }
            #expect(Self.isTooEarly(early, until: arrivedAt + 900))
            try await world.set(.noShowWaitSeconds, to: "60")
            let stillEarly = await #expect(throws: OrderRefusal.self) {
                _ = try await world.miss(order, at: arrivedAt + 59)
            }
            #expect(Self.isTooEarly(stillEarly, until: arrivedAt + 60))
            let missed = try await world.miss(order, at: arrivedAt + 60.001)
            #expect(missed.state == .cancelled && missed.reason == "customer-no-show")
            #expect(missed.ending?.fine == LateCancellationFee(metres: 3_000, amount: 150))
            #expect(try await world.held(order.assignee) == nil)
            #expect(try await world.deadlines(order.id) == [])
            try await world.expectConsistency()
        }
    }

    @Test("P3a: that nobody is there is believed of who is there, by a phone that has said so a moment ago")
    func missedFromAfar() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .arrived)
            let arrivedAt = try #require(order.arrivedAt)
            let now = arrivedAt + 901
            func expectRefusal() async {
                await #expect(throws: Presence.NotAtPlace(reach: 300, freshness: 120)) {
                    _ = try await world.missFromAnywhere(order, at: now)
                }
            }
            // Too early is too early, wherever somebody is.
            await #expect(throws: OrderRefusal.self) { _ = try await world.missFromAnywhere(order, at: arrivedAt) }
            await expectRefusal()
            try await world.stand(order.assignee, at: order.place, since: now - 121)
            await expectRefusal()
            try await world.stand(order.assignee, at: order.place, north: 310, since: now - 60)
            await expectRefusal()
            #expect(try await world.state(order.id) == .arrived)
            // One place alone may be a mistake, or invented.
            try await world.stand(order.assignee, at: order.place, north: 290, since: now - 50, stayed: 0)
            let early = await #expect(throws: OrderRefusal.self) {
                _ = try await world.missFromAnywhere(order, at: now)
            }
            #expect(Self.isTooEarly(early, until: now + 1))
            #expect(try await world.state(order.id) == .arrived)
            try await world.stand(order.assignee, at: order.place, north: 290, since: now - 40, stayed: 10)
            #expect(try await world.missFromAnywhere(order, at: now).state == .cancelled)
            try await world.expectConsistency()
        }
    }

    @Test(
        "O3: a report of what is paid stops the order, frees the provider and ends every wait but the decision's",
        arguments: [OrderState.enRoute, .arrived])
    func reported(_ state: OrderState) async throws {
        try await OrderWorld.with { world in
            for isProvider in [false, true] {
                let order = try await world.order(in: state)
                let by = isProvider ? order.assignee : order.customer.account
                let (report, disputed) = try await world.report(order, by: by)
                #expect(disputed.state == .disputed && disputed.report == report.id && disputed.reason == "unsafe")
                #expect(try await world.held(order.assignee) == nil)
                #expect(try await world.deadlines(order.id) == ["order.decision"])
                let events = try await world.pool.query(ReadEvents(order: order.id.text))
                #expect(events.map(\.name).suffix(2) == [OrderDisputed.name.text, ReportOpened.name.text])
                let opened = try JSON.wire.decode(ReportOpened.self, Array(try #require(events.last).payload.utf8))
                #expect(opened.report == report.id && opened.by == (isProvider ? .provider : .customer))
                #expect(opened.cancels && opened.awaitsDecision && opened.account == by)
                // Nothing goes on, and another order may be taken.
                await #expect(throws: OrderRefusal.wrongState(.disputed)) { _ = try await world.arrive(order) }
                await #expect(throws: OrderRefusal.wrongState(.disputed)) {
                    _ = try await world.confirm(order, by: order.customer.account)
                }
                _ = try await world.accept(try await world.request(world.addCustomer(), order.assignee))
                try await world.expectConsistency()
            }
        }
    }

    @Test(
        "O3: a report before anything was paid cancels the order, and leaves nothing to decide",
        arguments: [
            OrderState.requested, .accepted,
        ])
    func reportedBeforePayment(_ state: OrderState) async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: state)
            let (report, cancelled) = try await world.report(order, by: order.customer.account, "provider-late")
            #expect(cancelled.state == .cancelled && cancelled.report == nil && cancelled.reason == "provider-late")
            #expect(try await world.held(order.assignee) == nil)
            #expect(try await world.deadlines(order.id) == [])
            let last = try #require(try await world.pool.query(ReadEvents(order: order.id.text)).last)
            let opened = try JSON.wire.decode(ReportOpened.self, last.payload.utf8)
            #expect(opened.report == report.id && opened.cancels && !opened.awaitsDecision)
            try await world.expectConsistency()
        }
    }

    @Test("O3: a complaint lets the order go on, also after its end; a party may make five reports of an order")
    func complaints() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .arrived)
            let customer = order.customer.account
            let (complaint, after) = try await world.report(
                order, by: customer, "other", note: "no gloves", cancels: false)
            #expect(after.state == .arrived && after.version == order.version && !complaint.cancels)
            _ = try await world.confirm(order, by: customer)
            let completed = try await world.confirm(order, by: order.assignee)
            #expect(completed.state == .completed)
            await #expect(throws: OrderRefusal.wrongState(.completed)) { try await world.report(order, by: customer) }
            for _ in 1..<ReportOrder.maximum { try await world.report(order, by: customer, cancels: false) }
            await #expect(throws: ReportOrder.Refusal.tooMany) {
                try await world.report(order, by: customer, cancels: false)
            }
            try await world.report(order, by: order.assignee, cancels: false)
            #expect(try await world.pool.query(ListReports(order: order.id)).count == 6)
            try await world.expectConsistency()
        }
    }

    @Test("O3: only reasons that the market has for the party, and one's own words with the other reason")
    func reasons() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            let (customer, provider) = (order.customer.account, order.assignee)
            for (account, reason) in [(customer, "wrong-place"), (provider, "not-done"), (customer, "nothing")] {
                await #expect(throws: ReportOrder.Refusal.unknownReason) {
                    try await world.report(order, by: account, reason)
                }
            }
            await #expect(throws: ReportOrder.Refusal.noteMissing) {
                try await world.report(order, by: customer, "other")
            }
            await #expect(throws: OrderNotFound()) { try await world.report(order, by: .timeOrdered()) }
            #expect(try await world.state(order.id) == .enRoute)
            let disputed = try await world.report(order, by: customer, "other", note: "She asked for my keys").order
            #expect(disputed.reason == "She asked for my keys")
        }
    }

    @Test("O3: a decision ends the order once, with who gets what; the wallet may have been faster")
    func decided() async throws {
        try await OrderWorld.with { world in
            let ways: [(ReportDecided.Decision, Int?, OrderState, Int, Order.Ending.Payee)] = [
                (.payProvider, nil, .completed, 0, .provider),
                (.returnToCustomer, nil, .cancelled, 12_000, .customer),
                (.split, 5_000, .completed, 5_000, .both),
            ]
            for (decision, part, state, toCustomer, payee) in ways {
                let order = try await world.order(in: .enRoute)
                let disputed = try await world.report(order, by: order.assignee).order
                let news = OrderTrigger.PaymentNews(method: "card", version: 9)
                try await world.pay(
                    order.id, decision == .returnToCustomer ? .paymentReleased(news) : .paymentCaptured(news))
                #expect(try await world.state(order.id) == .disputed)
                for _ in 0..<2 { try await world.decide(disputed, decision, toCustomer: part) }
                try await world.decide(disputed, decision == .payProvider ? .returnToCustomer : .payProvider)
                let ended = try await world.details(order.id).order
                #expect(ended.state == state && ended.paidTo == payee && ended.by == .admin)
                #expect(ended.ending?.verdict?.toCustomer == toCustomer)
                let last = try #require(try await world.pool.query(ReadEvents(order: order.id.text)).last)
                let snapshot = try JSON.wire.decode(OrderCompleted.self, last.payload.utf8).order
                #expect(snapshot.report == disputed.report && snapshot.reason == disputed.reason)
                #expect(disputed.reason != nil && snapshot.labelState == .disputed)
                #expect(snapshot.outcome?.decision == decision)
                #expect(snapshot.outcome?.toCustomer == Money(amount: toCustomer, currency: "SAR"))
                #expect(try await world.deadlines(order.id) == [])
            }
            try await world.expectConsistency()
        }
    }

    @Test("O3: a decision about another report, another market or in another currency changes nothing")
    func wrongDecisions() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            let disputed = try await world.report(order, by: order.customer.account).order
            func decide(_ change: (inout ReportDecided) -> Void) async throws {
                var decided = ReportDecided(
                    report: try #require(disputed.report), order: order.id, market: "assef", decision: .split,
                    toCustomer: Money(amount: 1, currency: "SAR"), reason: "x", by: .timeOrdered(), at: Date())
                change(&decided)
                let message = decided
                try await world.pool.withTransaction { transaction in
                    try await world.operations.decide(message, at: .thisMillisecond, in: transaction)
                }
            }
            try await decide { $0.report = .timeOrdered() }
            await #expect(throws: PoisonMessage.self) { try await decide { $0.market = "hajji" } }
            await #expect(throws: PoisonMessage.self) { try await decide { $0.order = .timeOrdered() } }
            await #expect(throws: PoisonMessage.self) { try await decide { $0.toCustomer?.currency = "USD" } }
            #expect(try await world.state(order.id) == .disputed)
        }
    }

    @Test("P3a, O12: what nobody decides about is told of again and again, and no money moves by itself")
    func undecided() async throws {
        try await OrderWorld.with { world in
            try await world.set(.decisionWindowSeconds, to: "1")
            let order = try await world.order(in: .enRoute)
            let disputed = try await world.report(order, by: order.customer.account).order
            try await world.whileFiring {
                try await eventually("it was told of twice") {
                    try await world.events(order.id).filter { $0 == "undecided" }.count >= 2
                }
            }
            #expect(try await world.state(order.id) == .disputed)
            #expect(try await world.deadlines(order.id) == ["order.decision"])
            try await world.decide(disputed, .payProvider)
            #expect(try await world.state(order.id) == .completed)
            try await world.expectConsistency()
        }
    }

    @Test("I12: the words of and about somebody who leaves are forgotten; that there was a report is not")
    func forgotten() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            let disputed = try await world.report(
                order, by: order.customer.account, "other", note: "her own words"
            ).order
            try await world.report(order, by: order.assignee, "other", note: "his answer", cancels: false)
            try await world.pool.execute(ForgetReports(account: order.customer.account))
            #expect(try await world.pool.query(ListReports(order: order.id)).map(\.note) == [nil, nil])
            #expect(try await world.details(order.id).order.reason == "other")
            #expect(try await world.details(order.id).order.report == disputed.report)
        }
    }
}
