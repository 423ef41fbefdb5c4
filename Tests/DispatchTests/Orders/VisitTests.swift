import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O1: the workflow of a visit")
struct VisitTests {
    /// Everything that can happen to a visit, and what comes of it. All else is refused.
    static let table: [OrderState: [String: OrderState]] = [
        .requested: [
            "accept provider": .accepted, "decline provider": .refused, "cancel customer": .cancelled,
            "acceptWindowOver system": .expired, "report customer": .cancelled, "report provider": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .cancelled,
        ],
        .accepted: [
            "paymentHeld system": .enRoute, "cancel customer": .cancelled, "paymentWindowOver system": .expired,
            "paymentReleased system": .cancelled, "report customer": .cancelled, "report provider": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .cancelled,
        ],
        .enRoute: [
            "arrive provider": .arrived, "arrivalWindowOver system": .cancelled, "comeNear system": .enRoute,
            "paymentReleased system": .cancelled, "cancel customer": .cancelled, "report customer": .disputed,
            "report provider": .disputed, "customerBanned system": .cancelled, "providerBanned system": .cancelled,
        ],
        .arrived: [
            "complete provider": .arrived, "complete customer": .arrived, "paymentReleased system": .cancelled,
            "missCustomer provider": .cancelled, "report customer": .disputed, "report provider": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
            // Nobody has confirmed.
            "completionWindowOver system": .cancelled, "confirmationWindowOver system": .cancelled,
        ],
        .completed: ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        .cancelled: ["paymentReleased system": .cancelled],
        .refused: ["paymentReleased system": .refused],
        .expired: ["paymentReleased system": .expired],
        .disputed: [
            "decideForProvider admin": .completed, "decideForCustomer admin": .cancelled,
            "decisionWindowOver system": .disputed, "paymentCaptured system": .disputed,
            "paymentReleased system": .disputed,
        ],
    ]

    static let sample = WorkflowSample(
        workflow: .visit, table: Dictionary(uniqueKeysWithValues: table.map { ($0.rawValue, $1) }),
        standing: { name in try SampleOrder.inState(try #require(OrderState(rawValue: name))) },
        mayEver: { trigger, actor in table.values.contains { $0["\(trigger.kind.rawValue) \(actor.rawValue)"] != nil }
        },
        // A customer who is not there is waited for.
        moment: { $0.kind == .missCustomer ? SampleOrder.later : SampleOrder.start },
        opened: { _ in (SampleOrder.opened().order, VisitModel()) },
        trigger: { _, _, generator in trigger(&generator) }, pause: 20,
        marks: .states(SampleOrder.states, and: .fined, .decided))

    @Test("P3a: each wait has the length that its window has when it begins")
    func windows() throws {
        func seconds(_ state: OrderState) throws -> Double? {
            try SampleOrder.inState(state).deadline?.timeIntervalSince(SampleOrder.start)
        }
        #expect(try seconds(.requested) == 120)
        #expect(try seconds(.accepted) == 600)
        #expect(try seconds(.enRoute) == 7_200)
        #expect(try seconds(.arrived) == 43_200)
        for state in SampleOrder.states where state.isFinal { #expect(try seconds(state) == nil) }
    }

    @Test("O1: the second party has the whole confirmation window after the first one's word")
    func restartedWindow() throws {
        let arrived = try SampleOrder.inState(.arrived)
        let later = SampleOrder.start.addingTimeInterval(1_000)
        let change = try arrived.applying(
            .complete, by: .customer, at: later, windows: SampleOrder.windows, in: .visit)
        #expect(change.order.deadline == later.addingTimeInterval(86_400))
        #expect(change.effects == [.ends(.completion), .waits(.confirmation), .tells(.confirmed)])
        #expect(change.order.confirmedBy == [.customer])
        #expect(throws: OrderRefusal.wrongState(.arrived)) {
            try change.order.applying(.complete, by: .customer, at: later, windows: SampleOrder.windows, in: .visit)
        }
    }

    @Test("P3a: when both are silent after the arrival nobody is paid; one's word is enough for the other's")
    func silence() throws {
        func end(_ order: Order, _ window: OrderWindow) throws(OrderRefusal) -> OrderChange {
            try order.applying(
                .windowOver(window), by: .system, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit)
        }
        let arrived = try SampleOrder.inState(.arrived)
        let silent = try end(arrived, .completion)
        #expect(silent.order.state == .cancelled)
        #expect(silent.order.reason == "nobody-confirmed")
        #expect(silent.effects.contains(.freesProvider) && silent.effects.contains(.tells(.cancelled)))
        for party in OrderActor.parties {
            let half = try arrived.applying(
                .complete, by: party, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit
            ).order
            #expect(try end(half, .confirmation).order.state == .completed)
            #expect(try end(half, .confirmation).order.reason == "confirmation-window-over")
            #expect(throws: OrderRefusal.wrongState(.arrived)) { try end(half, .completion) }
        }
        // A wait that began before there was a window for the completion.
        #expect(try end(arrived, .confirmation).order.reason == "nobody-confirmed")
    }

    @Test(
        "P3a: what a window is for comes too late from its end on, whether or not its deadline has fired",
        arguments: [
            (OrderState.requested, OrderTrigger.accept(companion: nil), OrderActor.provider),
            (.accepted, SampleOrder.held(), .system), (.arrived, .complete, .customer),
            (.arrived, .complete, .provider),
        ])
    func tooLate(_ state: OrderState, _ trigger: OrderTrigger, _ actor: OrderActor) throws {
        let order = try SampleOrder.inState(state)
        let end = try #require(order.deadline)
        func apply(at now: Date) throws(OrderRefusal) -> Order {
            try order.applying(trigger, by: actor, at: now, windows: SampleOrder.windows, in: .visit).order
        }
        #expect(try apply(at: end - 0.001).version == order.version + 1)
        for late in [0, 0.001, 1e6] {
            #expect(throws: OrderRefusal.tooLate(state)) { try apply(at: end + late) }
        }
    }

    @Test("P3a: the second party's word, too, comes too late; other ways out stay open until the deadline fires")
    func otherwise() throws {
        let arrived = try SampleOrder.inState(.arrived)
        let half = try arrived.applying(
            .complete, by: .provider, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit
        ).order
        let end = try #require(half.deadline)
        #expect(throws: OrderRefusal.tooLate(.arrived)) {
            try half.applying(.complete, by: .customer, at: end, windows: SampleOrder.windows, in: .visit)
        }
        let late = SampleOrder.start + 1e6
        let ways: [(OrderState, OrderTrigger, OrderActor, OrderState)] = [
            (.requested, .cancel(reason: nil), .customer, .cancelled),
            (.requested, .decline(reason: nil), .provider, .refused),
            (.accepted, .cancel(reason: nil), .customer, .cancelled), (.enRoute, .arrive, .provider, .arrived),
        ]
        for (state, trigger, actor, next) in ways {
            let order = try SampleOrder.inState(state).applying(
                trigger, by: actor, at: late, windows: SampleOrder.windows, in: .visit)
            #expect(order.order.state == next)
        }
    }

    @Test("W2: a held payment is held, cash stays unpaid, and news that is not newer is ignored")
    func payments() throws {
        let accepted = try SampleOrder.inState(.accepted)
        func pay(_ trigger: OrderTrigger) throws -> Order {
            try accepted.applying(trigger, by: .system, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit)
                .order
        }
        #expect(try pay(SampleOrder.held(2)).payment == Order.Payment(method: "card", state: .held, version: 2))
        #expect(
            try pay(SampleOrder.held(2, method: "cash")).payment
                == Order.Payment(method: "cash", state: .unpaid, version: 2))
        let held = try pay(SampleOrder.held(3))
        #expect(throws: OrderRefusal.outdated) {
            try held.applying(
                SampleOrder.held(3), by: .system, at: SampleOrder.start, windows: SampleOrder.windows, in: .visit)
        }
    }

    @Test("O1: reasons, the companion and who confirmed are kept with the order")
    func words() throws {
        #expect(try SampleOrder.after((.accept(companion: "Huda"), .provider)).companion == "Huda")
        #expect(try SampleOrder.after((.decline(reason: "away"), .provider)).reason == "away")
        #expect(try SampleOrder.after((.cancel(reason: "changed my mind"), .customer)).reason == "changed my mind")
        #expect(try SampleOrder.inState(.expired).reason == "accept-window-over")
        #expect(try SampleOrder.inState(.completed).confirmedBy == [.customer, .provider])
        let noShow = try SampleOrder.after(
            (.accept(companion: nil), .provider), (SampleOrder.held(), .system), (.windowOver(.arrival), .system))
        #expect(noShow.state == .cancelled)
        #expect(noShow.reason == "no-show")
        #expect(noShow.by == .system)
    }

    private static func trigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(
            method: ["card", "wallet", "cash"].randomElement(using: &generator),
            version: Int.random(in: 1...6, using: &generator))
        let fine = LateCancellationFee(metres: 2_000, amount: Int.random(in: 0...100, using: &generator))
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let all: [OrderTrigger] = [
            .accept(companion: nil), .accept(companion: nil), .paymentHeld(news), .paymentHeld(news), .arrive, .arrive,
            .complete, .complete, .decline(reason: nil), .cancel(reason: nil, fine: fine), .paymentCaptured(news),
            .paymentReleased(news), .comeNear(metresLeft: 1, secondsLeft: 1), .windowOver(.accept),
            .windowOver(.payment), .windowOver(.arrival), .windowOver(.completion), .windowOver(.confirmation),
            .windowOver(.decision), .missCustomer(fine: fine), .report(SampleOrder.report, reason: "unsafe"),
            .decide(SampleOrder.verdict(decision)), .customerBanned, .providerBanned,
        ]
        return all.step(onward: 8, &generator)
    }
}
