import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O10: the workflow of a bike that is brought", .timeLimit(.minutes(15)))
struct DropOffTests {
    private static let fetching: [String: OrderState] = [
        "giveUp provider": .requested, "cancel customer": .cancelled, "cancel admin": .cancelled,
        "report customer": .disputed, "report provider": .disputed, "paymentReleased system": .cancelled,
        "customerBanned system": .cancelled, "providerBanned system": .requested, "missProvider customer": .cancelled,
    ]
    private static let started: [String: OrderState] = [
        "complete provider": .inProgress, "complete customer": .inProgress, "report customer": .disputed,
        "report provider": .disputed, "completionWindowOver system": .disputed, "paymentReleased system": .disputed,
        "customerBanned system": .disputed, "providerBanned system": .disputed,
    ]
    private static let confirmed: [String: OrderState] = [
        "confirmationWindowOver system": .completed, "report customer": .disputed, "report provider": .disputed,
        "paymentReleased system": .disputed, "customerBanned system": .disputed, "providerBanned system": .disputed,
        "comeNear system": .inProgress,
    ]

    /// Everything that can happen, and what comes of it. All else is refused.
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
        "accepted": fetching.merging(["arrive provider": .arrived, "arrivalWindowOver system": .requested]) { $1 },
        "arrived": fetching.merging(["start system": .inProgress, "completionWindowOver system": .cancelled]) { $1 },
        "started": started.merging(["comeNear system": .inProgress]) { $1 },
        "near": started.merging(["missCustomer provider": .cancelled]) { $1 },
        "brought": confirmed.merging(["complete customer": .completed]) { $1 },
        "received": confirmed.merging(["complete provider": .completed]) { $1 },
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
        workflow: .bikeDropOff, table: table, standing: { try SampleDropOff.standing($0) },
        mayEver: DropOffModel.mayEver,
        // One of the two has waited long enough for the other.
        moment: {
            $0.kind == .missProvider || $0.kind == .missCustomer ? SampleOrder.later : SampleDropOff.start
        },
        opened: { _ in (SampleDropOff.opened(), DropOffModel()) },
        // Every second one leads on, so that walks get somewhere.
        trigger: { order, step, generator in
            (step % 2 == 0 ? next(after: order, &generator) : nil) ?? trigger(&generator)
        },
        pause: 12,
        marks: .states(
            Set(Workflow.bikeDropOff.rows.map(\.to)).union([.pending]).subtracting([.refused]), and: .fined))

    @Test("O10, C6: what ends before the pick-up leaves the bike to others, and nothing after it does")
    func bike() {
        let before: Set<OrderState> = [.pending, .requested, .offered, .accepted, .arrived]
        for row in Workflow.bikeDropOff.rows {
            let ends = row.to.isFinal || row.to == .disputed
            let isReleased = row.effects.contains(.releasesBike)
            #expect(isReleased == (before.contains(row.from) && ends), "\(row.from) \(row.trigger)")
        }
    }

    @Test("O10, O2: the customer pays a fee until the pick-up once a driver has it, or when missed at the door")
    func fees() throws {
        let fined = Workflow.bikeDropOff.rows.filter { $0.effects.contains(.fines) }
        #expect(
            Set(fined.map { "\($0.from.rawValue) \($0.trigger.rawValue) \($0.actors.map(\.rawValue).joined())" }) == [
                "accepted cancel customer", "arrived cancel customer", "inProgress missCustomer provider",
            ])
    }

    @Test("O10, P3a: a customer who is not at the door is waited for since the driver is near, and pays for the way")
    func nobodyAtTheDoor() throws {
        let (start, fine) = (SampleDropOff.start, LateCancellationFee(metres: 4_000, amount: 900))
        let started = try SampleDropOff.standing("started")
        #expect(throws: OrderRefusal.wrongState(.inProgress)) {
            try SampleDropOff.apply(.missCustomer(fine: fine), .provider, to: started, at: start + 10_000)
        }
        let near = try SampleDropOff.apply(
            .comeNear(metresLeft: 200, secondsLeft: 20), .system, to: started, at: start + 500
        ).order
        // How long the bike is used counts from the rack still.
        #expect(near.arrivedAt == started.arrivedAt && near.nearAt == start + 500)
        #expect(throws: OrderRefusal.tooEarly(until: start + 1_400)) {
            try SampleDropOff.apply(.missCustomer(fine: fine), .provider, to: near, at: start + 1_399)
        }
        let missed = try SampleDropOff.apply(.missCustomer(fine: fine), .provider, to: near, at: start + 1_400).order
        #expect(missed.state == .cancelled && missed.reason == "customer-no-show" && missed.deadline == nil)
        #expect(missed.ending?.by == .provider && missed.ending?.fine == fine && missed.paidTo == .customer)
    }

    @Test(
        "O10, P3a: the customer's wait for a driver counts from the acceptance, anew from the rack, and costs nothing")
    func missed() throws {
        let start = SampleDropOff.start
        var order = try SampleDropOff.standing("offered")
        order = try SampleDropOff.apply(.accept(companion: nil), .provider, to: order, at: start + 10).order
        #expect(throws: OrderRefusal.tooEarly(until: start + 910)) {
            try SampleDropOff.apply(.missProvider, .customer, to: order, at: start + 909)
        }
        let missed = try SampleDropOff.apply(.missProvider, .customer, to: order, at: start + 910)
        #expect(missed.order.state == .cancelled && missed.order.reason == "no-show")
        #expect(missed.order.ending?.fine == nil && missed.order.deadline == nil)
        order = try SampleDropOff.apply(.arrive, .provider, to: order, at: start + 500).order
        #expect(throws: OrderRefusal.tooEarly(until: start + 1_400)) {
            try SampleDropOff.apply(.missProvider, .customer, to: order, at: start + 1_399)
        }
        let idle = try SampleDropOff.apply(.missProvider, .customer, to: order, at: start + 1_400)
        #expect(idle.order.state == .cancelled && idle.effects.contains(.ends(.completion)))
        // Of the next driver nothing is said by how long the first one let wait.
        let again = try SampleDropOff.apply(.giveUp(reason: nil), .provider, to: order, at: start + 600).order
        let taken = try SampleDropOff.apply(.take(SampleDropOff.driver), .provider, to: again, at: start + 700).order
        #expect(throws: OrderRefusal.tooEarly(until: start + 1_600)) {
            try SampleDropOff.apply(.missProvider, .customer, to: taken, at: start + 1_400)
        }
    }

    @Test("O10: what only a bike that is brought has is the same after it was kept, and it is searched for by its kind")
    func kept() throws {
        let order = try SampleDropOff.standing("requested")
        let particulars = try #require(order.particulars)
        let json = try JSONEncoder().encode(particulars)
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: json) == particulars)
        #expect(particulars.quote != nil && order.searchKind == "bikeDropOff")
        #expect(Workflow.isAwaited("bikeDropOff", in: "inProgress"))
        #expect(!Workflow.isAwaited("bikeDropOff", in: "accepted"))
        // Who gives up says why to nobody else.
        let arrived = try SampleDropOff.standing("arrived")
        let given = try SampleDropOff.apply(.giveUp(reason: "a flat tyre"), .provider, to: arrived)
        #expect(given.order.reason == "given-up" && given.former == SampleDropOff.driver)
    }

    private static func next(after order: Order, _ generator: inout SeededGenerator) -> OrderTrigger? {
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
        return switch order.state {
        case .pending: .paymentHeld(.init(method: "card", version: order.payment.version + 1))
        case .requested: .offer(SampleDropOff.driver)
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
        let driver = SampleDropOff.driver
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .offer(driver), .offer(driver), .take(driver),
                .accept(companion: nil), .accept(companion: nil), .arrive, .arrive, .start, .start, .complete,
                .complete,
                .complete, .decline(reason: "no"), .comeNear(metresLeft: 1, secondsLeft: 1), .giveUp(reason: nil),
                .missCustomer(fine: fine), .missProvider, .bringBack(cost: 1), .cancel(reason: nil, fine: fine),
                .report(SampleOrder.report, reason: "not-received"), .decide(SampleOrder.verdict(decision)),
                .decide(SampleOrder.verdict(decision)), .paymentCaptured(news), .paymentReleased(news),
                .depositEnded(toCustomer: true), .customerBanned, .providerBanned,
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 14, &generator)
    }
}
