import Foundation
import Matching
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O8: the workflow of a ride", .timeLimit(.minutes(15)))
struct RideTests {
    private static let coming: [String: OrderState] = [
        "arrive provider": .arrived, "giveUp provider": .requested, "cancel customer": .cancelled,
        "cancel admin": .cancelled, "report customer": .disputed, "report provider": .disputed,
        "arrivalWindowOver system": .cancelled, "paymentReleased system": .cancelled,
        "missProvider customer": .cancelled,
        "customerBanned system": .cancelled, "providerBanned system": .requested,
    ]

    /// Everything that can happen to a ride, and what comes of it. All else is refused.
    static let table: [String: [String: OrderState]] = [
        "pending": [
            "paymentHeld system": .requested, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "paymentWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "requested": [
            "offer system": .offered, "take provider": .accepted, "cancel customer": .cancelled,
            "cancel admin": .cancelled, "searchWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "offered": [
            "accept provider": .accepted, "decline provider": .requested, "offerWindowOver system": .requested,
            "cancel customer": .cancelled, "cancel admin": .cancelled, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .requested,
        ],
        "accepted": coming.merging(["comeNear system": .accepted]) { $1 },
        "near": coming,
        "arrived": [
            "start provider": .inProgress, "giveUp provider": .requested, "missCustomer provider": .cancelled,
            "cancel customer": .cancelled, "cancel admin": .cancelled, "report customer": .disputed,
            "report provider": .disputed, "completionWindowOver system": .cancelled,
            "paymentReleased system": .cancelled, "customerBanned system": .cancelled,
            "providerBanned system": .requested,
        ],
        "started": [
            "complete provider": .inProgress, "endEarly provider": .inProgress, "endEarly customer": .inProgress,
            "report customer": .disputed, "report provider": .disputed,
            "completionWindowOver system": .disputed, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "brought": [
            "complete customer": .completed, "confirmationWindowOver system": .completed, "report customer": .disputed,
            "report provider": .disputed, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "completed": ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        "cancelled": ["paymentReleased system": .cancelled],
        "expired": ["paymentReleased system": .expired],
        "disputed": [
            "decideForProvider admin": .completed, "decideForCustomer admin": .cancelled,
            "decisionWindowOver system": .disputed, "paymentCaptured system": .disputed,
            "paymentReleased system": .disputed,
        ],
    ]

    static let sample = WorkflowSample(
        workflow: .ride, table: table, standing: { try SampleRide.standing($0) }, mayEver: RideModel.mayEver,
        // Each has waited long enough for the other, and no window that began at the start is over that matters.
        moment: {
            $0.kind == .missCustomer || $0.kind == .missProvider ? SampleOrder.later : SampleRide.start
        },
        opened: { _ in (SampleRide.opened(), RideModel()) },
        // Every second one leads on, so that walks get somewhere.
        trigger: { order, step, generator in
            (step % 2 == 0 ? next(after: order, &generator) : nil) ?? trigger(&generator)
        },
        pause: 12,
        marks: .states(Set(Workflow.ride.rows.map(\.to)).union([.pending]).subtracting([.refused]), and: .fined))

    @Test("O8, P3a: the search ends when it was to end, however many are asked; who gives up begins another")
    func searchEnd() throws {
        var order = try SampleRide.standing("requested")
        let end = try #require(order.deadline)
        var now = SampleRide.start
        for _ in 0..<5 {
            now += 30
            order = try order.applying(
                .offer(SampleRide.driver), by: .system, at: now, windows: SampleOrder.windows, in: .ride
            ).order
            #expect(order.deadline == now.addingTimeInterval(20))
            let change = try order.applying(
                .decline(reason: "not him again"), by: .provider, at: now, windows: SampleOrder.windows, in: .ride)
            order = change.order
            #expect(order.deadline == end && order.reason == "declined" && order.provider == nil)
            #expect(change.former == SampleRide.driver && change.effects.contains(.continuesSearch))
        }
        #expect(throws: OrderRefusal.tooLate(.requested)) {
            try order.applying(
                .offer(SampleRide.driver), by: .system, at: end, windows: SampleOrder.windows, in: .ride)
        }
        let coming = try SampleRide.standing("near")
        let again = try coming.applying(
            .giveUp(reason: "a flat tyre"), by: .provider, at: now, windows: SampleOrder.windows, in: .ride
        ).order
        #expect(again.deadline == SampleOrder.windows.end(of: .search, from: now) && !again.isNear)
        #expect(again.reason == "a flat tyre")
    }

    @Test(
        "C7, O8: a ride that ends early costs what was driven, by the surge of its quote, and never more than was quoted"
    )
    func early() throws {
        let tariff = Tariff(base: 400, perKilometre: 150, perMinute: 30, minimum: 800)
        var ride = try #require(SampleRide.opened().ride)
        #expect(ride.cost(metres: 1_000, seconds: 60, quoted: 2_000) == 2_000)
        (ride.tariff, ride.surgePercent) = (tariff, 150)
        #expect(ride.cost(metres: 4_000, seconds: 300, quoted: 2_000) == 1_725)
        #expect(ride.cost(metres: 0, seconds: 0, quoted: 2_000) == 1_200)
        #expect(ride.cost(metres: 40_000, seconds: 3_000, quoted: 2_000) == 2_000)
        var order = try SampleRide.standing("started")
        for (actor, other) in [(OrderActor.customer, OrderActor.provider), (.provider, .customer)] {
            var next = order
            for (trigger, by) in [
                (OrderTrigger.endEarly(cost: 900), actor),
                (actor == .customer ? OrderTrigger.confirmEarlyEnd(cost: 900) : .complete, other),
            ] {
                next = try next.applying(
                    trigger, by: by, at: SampleRide.start, windows: SampleOrder.windows, in: .ride
                ).order
            }
            #expect(next.state == .completed && next.total == 900 && next.confirmedBy == [actor, other])
        }
        order = try order.applying(
            .endEarly(cost: 9_000), by: .provider, at: SampleRide.start, windows: SampleOrder.windows, in: .ride
        ).order
        #expect(order.total == 2_000)
    }

    @Test("O8, P3a: the rider's wait for a driver counts from the acceptance, also once the driver has come near")
    func near() throws {
        let start = SampleRide.start
        func apply(
            _ trigger: OrderTrigger, _ actor: OrderActor, to order: Order, after seconds: Double
        ) throws(OrderRefusal) -> Order {
            try order.applying(
                trigger, by: actor, at: start + seconds, windows: SampleOrder.windows, in: .ride
            ).order
        }
        let accepted = try apply(
            .accept(companion: nil), .provider, to: try SampleRide.standing("offered"), after: 10)
        let near = try apply(.comeNear(metresLeft: 200, secondsLeft: 20), .system, to: accepted, after: 800)
        #expect(near.isNear && near.changedAt == start + 10 && near.version == accepted.version + 1)
        #expect(throws: OrderRefusal.tooEarly(until: start + 910)) {
            try apply(.missProvider, .customer, to: near, after: 909)
        }
        let missed = try apply(.missProvider, .customer, to: near, after: 910)
        #expect(missed.state == .cancelled && missed.reason == "no-show" && missed.changedAt == start + 910)
    }

    @Test("O8: the rider pays a fee from the moment that a driver has it, admins and the platform take none")
    func fees() {
        let fined = Workflow.ride.rows.filter { $0.effects.contains(.fines) }
        #expect(
            Set(fined.map { "\($0.from.rawValue) \($0.trigger.rawValue) \($0.actors.map(\.rawValue).joined())" }) == [
                "accepted cancel customer", "arrived cancel customer", "arrived missCustomer provider",
            ])
        #expect(LateCancellationFee(metres: 2_000, perKilometre: 100, fee: 500, price: 2_000).amount == 700)
        #expect(LateCancellationFee(metres: 2_000, perKilometre: 100, fee: 500, price: 600).amount == 600)
        #expect(LateCancellationFee(metres: 0, perKilometre: 100, fee: 500, price: 2_000).amount == 500)
        #expect(LateCancellationFee(metres: .infinity, perKilometre: .max, fee: .max, price: 2_000).amount == 2_000)
    }

    @Test("O8: what only a ride has is the same after it was kept, with the end of its search")
    func kept() throws {
        let particulars = try #require(try SampleRide.standing("requested").particulars)
        let json = try JSONEncoder().encode(particulars)
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: json) == particulars)
        #expect(particulars.quote != nil)
    }

    private static func next(after order: Order, _ generator: inout SeededGenerator) -> OrderTrigger? {
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
        return switch order.state {
        case .pending: .paymentHeld(.init(method: "card", version: order.payment.version + 1))
        case .requested: .offer(SampleRide.driver)
        case .offered: .accept(companion: nil)
        case .accepted: .arrive
        case .arrived: .start
        case .inProgress: .complete
        default: nil
        }
    }

    private static func trigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(method: "card", version: Int.random(in: 1...8, using: &generator))
        let fine = LateCancellationFee(metres: 2_000, amount: Int.random(in: 0...100, using: &generator))
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .paymentHeld(news), .offer(SampleRide.driver),
                .offer(SampleRide.driver), .offer(SampleRide.driver), .take(SampleRide.driver),
                .accept(companion: nil), .accept(companion: nil), .accept(companion: nil), .decline(reason: "no"),
                .arrive, .arrive, .arrive, .start, .start, .start, .complete, .complete, .complete,
                .endEarly(cost: .random(in: 0...3_000, using: &generator)),
                .comeNear(metresLeft: 1, secondsLeft: 1), .giveUp(reason: nil), .missCustomer(fine: fine),
                .missProvider,
                .cancel(reason: nil, fine: fine), .report(SampleOrder.report, reason: "unsafe"),
                .decide(SampleOrder.verdict(decision)), .decide(SampleOrder.verdict(decision)),
                .paymentCaptured(news), .paymentReleased(news), .depositEnded(toCustomer: true), .customerBanned,
                .providerBanned,
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 20, &generator)
    }
}
