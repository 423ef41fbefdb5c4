import Foundation
import Testing

@testable import SeraiDispatch

@Suite("O2: what a way costs")
struct WayFineTests {
    @Test(
        "O2: kilometres times rate, in exact parts of a kilometre, rounded down to a whole minor unit",
        arguments: [
            (0.0, 50, 0), (19.9, 50, 0), (20, 50, 1), (999.999, 50, 49), (1_000, 50, 50), (12_345.6, 50, 617),
            (12_000, 50, 600), (1_000, 0, 0), (-5, 50, 0), (.nan, 50, 0), (.infinity, 50, 0),
        ])
    func amount(_ metres: Double, _ rate: Int, _ expected: Int) {
        #expect(LateCancellationFee(metres: metres, perKilometre: rate, price: 12_000).amount == expected)
    }

    @Test("O2: a fine is never more than the order's price, and no number is too large for it")
    func bound() {
        #expect(LateCancellationFee(metres: 1_000_000, perKilometre: 50, price: 12_000).amount == 12_000)
        #expect(LateCancellationFee(metres: 1e300, perKilometre: .max, price: 12_000).amount == 12_000)
        #expect(LateCancellationFee(metres: 1_000, perKilometre: 50, price: 0).amount == 0)
        #expect(LateCancellationFee(metres: 1_000, perKilometre: -50, price: 100).amount == 0)
    }

    @Test("O2: nobody pays more than was agreed to, nor more than it costs; what was shown binds for its time")
    func binding() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let shown = CancellationQuote(
            fine: LateCancellationFee(metres: 4_000, amount: 200), until: now + CancellationQuote.seconds)
        func fine(_ amount: Int, accepted: Int?, quote: CancellationQuote?, after seconds: Double = 0) -> Int? {
            CancellationQuote.binding(
                LateCancellationFee(metres: amount * 20, amount: amount), accepted: accepted, quote: quote,
                at: now + seconds)?
                .amount
        }
        #expect(fine(0, accepted: nil, quote: nil) == 0)
        #expect(fine(200, accepted: nil, quote: nil) == nil)
        #expect(fine(200, accepted: 199, quote: nil) == nil)
        #expect(fine(200, accepted: 200, quote: nil) == 200)
        // The setting was lowered, or more was agreed to than needed.
        #expect(fine(100, accepted: 200, quote: shown) == 100)
        // The provider drives on.
        #expect(fine(300, accepted: 200, quote: nil) == nil)
        #expect(fine(300, accepted: 200, quote: shown) == 200)
        #expect(fine(300, accepted: 200, quote: shown, after: 59.999) == 200)
        #expect(fine(300, accepted: 200, quote: shown, after: 60) == nil)
        // A quote is no word of the customer's.
        #expect(fine(300, accepted: nil, quote: shown) == nil)
        #expect(fine(300, accepted: 199, quote: shown) == nil)
        // What was shown as free.
        let free = CancellationQuote(fine: .none, until: now + 60)
        #expect(fine(5, accepted: 0, quote: free) == 0)
        #expect(fine(5, accepted: nil, quote: free) == 0)
    }

    @Test("O2, P3a: only cancelling on the way and not being there cost something, and who ended it is kept")
    func endings() throws {
        let fine = LateCancellationFee(metres: 12_000, amount: 600)
        func end(_ state: OrderState, _ trigger: OrderTrigger, _ actor: OrderActor) throws -> Order {
            try SampleOrder.inState(state).applying(
                trigger, by: actor, at: SampleOrder.later, windows: SampleOrder.windows, in: .visit
            ).order
        }
        for state in [OrderState.requested, .accepted] {
            let free = try end(state, .cancel(reason: "no", fine: fine), .customer)
            #expect(free.ending == Order.Ending(by: .customer, at: SampleOrder.later))
            #expect(free.paidTo == .nobody)
        }
        let late = try end(.enRoute, .cancel(reason: "no", fine: fine), .customer)
        #expect(late.ending?.fine == fine && late.paidTo == .customer && late.reason == "no")
        let missed = try end(.arrived, .missCustomer(fine: fine), .provider)
        #expect(missed.ending?.fine == fine && missed.ending?.by == .provider && missed.paidTo == .customer)
        #expect(missed.reason == "customer-no-show")
        // What the wallet does afterwards is no other ending.
        let released = try late.applying(
            .paymentReleased(.init(method: "card", version: 9)), by: .system, at: SampleOrder.later,
            windows: SampleOrder.windows, in: .visit
        ).order
        #expect(released.ending == late.ending && released.by == .system)
        #expect(try SampleOrder.inState(.completed).paidTo == .provider)
        #expect(try SampleOrder.inState(.arrived).paidTo == nil)
    }

    @Test("P3a: a provider waits as long as the market asks before the customer counts as not there")
    func waiting() throws {
        let arrived = try SampleOrder.inState(.arrived)
        func miss(_ seconds: Double) throws(OrderRefusal) -> Order {
            try arrived.applying(
                .missCustomer(fine: .none), by: .provider, at: SampleOrder.start + seconds,
                windows: SampleOrder.windows, in: .visit
            ).order
        }
        for seconds in [0, 1, 899.999] {
            #expect(throws: OrderRefusal.tooEarly(until: SampleOrder.later)) { try miss(seconds) }
        }
        #expect(try miss(900).state == .cancelled)
        // Whoever has said that the work is done has met.
        let half = try arrived.applying(
            .complete, by: .customer, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit
        ).order
        #expect(throws: OrderRefusal.wrongState(.arrived)) {
            try half.applying(
                .missCustomer(fine: .none), by: .provider, at: SampleOrder.later, windows: SampleOrder.windows,
                in: .visit)
        }
    }

    @Test("O3: a decision ends a reported order, and says who gets how much")
    func decisions() throws {
        let disputed = try SampleOrder.inState(.disputed)
        #expect(disputed.report == SampleOrder.report && disputed.reason == "not-done")
        let expected: [(Order.Verdict.Decision, OrderState, Order.Ending.Payee)] = [
            (.payProvider, .completed, .provider), (.returnToCustomer, .cancelled, .customer),
            (.split, .completed, .both),
        ]
        for (decision, state, payee) in expected {
            let verdict = SampleOrder.verdict(decision)
            let change = try disputed.applying(
                .decide(verdict), by: .admin, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit)
            #expect(change.order.state == state && change.order.paidTo == payee)
            #expect(change.order.reason == "not-done" && change.order.ending?.verdict == verdict)
            #expect(change.order.ending?.by == .admin && change.order.report == SampleOrder.report)
            #expect(throws: OrderRefusal.wrongState(state)) {
                try change.order.applying(
                    .decide(verdict), by: .admin, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit)
            }
        }
    }
}
