import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("X6: late delivery lowers the pay by a stated rule", .timeLimit(.minutes(5)))
struct LatePayTests {
    private static let terms = Order.Parcel.LateTerms(seconds: 21_600, fallSeconds: 86_400, lowestPercent: 50)

    private static func travelling(fee: Int = 0) throws -> Order {
        var order = SampleParcel.opened(deposit: nil)
        guard case .parcel(var parcel)? = order.particulars else { return order }
        parcel.late = terms
        if fee > 0 { parcel.minimumRating = Order.Parcel.MinimumRating(tenths: 40, fee: fee) }
        order =
            Order.opened(
                Order.Request(
                    id: order.id, market: order.market, customer: order.customer, provider: nil,
                    lines: order.lines
                        + (fee > 0 ? [Order.Line(service: "minimum-rating", names: [:], price: fee)] : []),
                    total: order.total + fee, currency: order.currency, place: order.place,
                    destination: order.destination, particulars: .parcel(parcel)),
                at: SampleParcel.start, windows: SampleOrder.windows, in: .parcel
            ).order
        for (trigger, actor) in [
            (.paymentHeld(SampleParcel.news), .system), SampleParcel.take, (.start, .customer),
        ] as [(OrderTrigger, OrderActor)] {
            order = try after(0, trigger, actor, order)
        }
        return order
    }

    private static func after(
        _ seconds: Double, _ trigger: OrderTrigger, _ actor: OrderActor, _ order: Order
    ) throws -> Order {
        var windows = SampleOrder.windows
        windows.completionSeconds = 604_800
        windows.confirmationSeconds = 604_800
        return try order.applying(
            trigger, by: actor, at: SampleParcel.start.addingTimeInterval(seconds), windows: windows, in: .parcel
        ).order
    }

    @Test(
        "X6: in time the pay is whole, then it falls evenly for a day to half of it, and no lower",
        arguments: [
            (0.0, 5_000), (21_600, 5_000), (21_601, 5_000), (21_600 + 43_200, 3_750), (21_600 + 86_400, 2_500),
            (400_000, 2_500),
        ] as [(Double, Int)])
    func pay(_ seconds: Double, _ total: Int) throws {
        var order = try Self.travelling()
        order.deadline = nil
        let done = try Self.after(seconds, .complete, .customer, order)
        #expect(done.total == total && done.state == .completed)
        #expect((done.reason == "delivered-late") == (total < 5_000))
        #expect(done.parcel?.delivery?.percent == total / 50)
    }

    @Test("X6: the pay never rises with time, and the sum of its parts is the total", arguments: [0, 1_501])
    func model(_ fee: Int) throws {
        var order = try Self.travelling(fee: fee)
        order.deadline = nil
        var before = Int.max
        for seconds in stride(from: 0.0, through: 140_000, by: 1_777) {
            let done = try Self.after(seconds, .complete, .customer, order)
            #expect(done.total <= before && done.total <= 5_000 + fee)
            #expect(done.total * 2 >= 5_000 + fee)
            before = done.total
            if fee > 0 {
                let share = try #require(done.payees?.first)
                #expect(done.payees?.count == 1 && share.amount <= done.total)
                // The fee is the platform's, and falls with nothing.
                #expect(done.total - share.amount == fee)
                #expect(OrderSnapshot(done).part(of: .provider).total.amount == share.amount)
            }
        }
    }

    @Test("X6: the carrier's word counts, not an owner who is slow to confirm; a decision says itself what is paid")
    func carriersWord() throws {
        var order = try Self.travelling()
        order.deadline = nil
        var said = try Self.after(20_000, .complete, .provider, order)
        said.deadline = nil
        #expect(try Self.after(300_000, .complete, .customer, said).total == 5_000)
        #expect(try Self.after(300_000, .windowOver(.confirmation), .system, said).total == 5_000)
        var reported = try Self.after(300_000, .report(SampleOrder.report, reason: "damaged"), .customer, order)
        reported.deadline = nil
        let verdict = Order.Verdict(decision: .payProvider, toCustomer: 0, reason: "It was late for a reason")
        let decided = try Self.after(300_001, .decide(verdict), .admin, reported)
        #expect(decided.total == 5_000 && decided.parcel?.delivery == nil)
    }

    @Test("X6: the promised time is generous: twice the way at the market's speed, rounded up to six hours")
    func promise() {
        let rule = MarketSettings.LatePay(lowestPercent: 50, fallHours: 24, roundingHours: 6)
        let near = Order.Parcel.LateTerms(rule, metres: 100, metresPerMinute: 400)
        #expect(near == Self.terms)
        // 100 km × 1.3 at 400 m a minute are 325 minutes, twice that nearly eleven hours.
        #expect(Order.Parcel.LateTerms(rule, metres: 100_000, metresPerMinute: 400).seconds == 43_200)
    }

    @Test("X6, P7: both read the rule before, the promised time on the way, and after a late delivery why it is less")
    func shown() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.posted(owner)
            let listed = try await server.get(OrderServer.board, as: carrier).items.first?["order"]?["parcel"]?["late"]
            #expect(listed?["seconds"]?.int == 21_600 && listed?["lowestPercent"]?.int == 50)
            #expect(listed?["deliverBy"] == nil)
            #expect(try await server.act("take", order, as: carrier).status == 200)
            let started = try await server.act("start", order, as: owner)
            #expect(started["parcel"]?["late"]?["deliverBy"]?.text != nil)
            let late = Date.thisMillisecond.addingTimeInterval(21_600 + 43_200)
            let done = try await server.world.pool.withTransaction { transaction in
                try await server.world.operations.confirm(order, by: owner.account, at: late, in: transaction)
            }
            #expect(done.order.total == 3_750)
            for person in [owner, carrier] {
                let view = try await server.get(server.path(order), as: person)
                #expect(view["total", "amount"]?.int == 3_750 && view["parcel"]?["late"]?["percent"]?.int == 75)
                #expect(view["reasonText"]?.text == "It was delivered after its time, so the pay is lower")
            }
            let market = MarketView(.carrepsa, Market.carrepsa.defaults, .english)
            #expect(market.settings.latePay?.text.contains("50 %") == true)
            #expect(market.settings.minimumRatingFee == 1_500)
        }
    }
}
