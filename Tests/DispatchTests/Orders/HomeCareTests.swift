import Contracts
import Foundation
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: the workflow of home care")
struct HomeCareTests {
    static let visitTime = SampleOrder.start.addingTimeInterval(172_800)

    private static func opened() -> Order {
        let ids = SequentialIDs(first: 60)
        let request = Order.Request(
            id: ids.next(), market: "edencare", customer: Order.Party(account: ids.next(), name: "Ada"), provider: nil,
            lines: [Order.Line(service: "companionship", names: ["en": "Companionship"], price: 3_000)], total: 3_000,
            currency: "CAD", place: Order.Place(latitude: 50.45, longitude: -104.6, description: nil),
            scheduledAt: visitTime,
            particulars: .homeCare(Order.HomeCare(relative: nil, preferred: nil, minutes: 60, orderedBy: nil)))
        return Order.opened(request, at: SampleOrder.start, windows: SampleOrder.windows, in: .homeCare).order
    }

    private static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(SampleParcel.news), .system)]
        let sent = paid + [(.assign(SampleOrder.other), .admin)]
        let confirmed = sent + [(.accept(companion: nil), .provider)]
        let begun = confirmed + [(.start, .provider)]
        let steps: [(OrderTrigger, OrderActor)] =
            switch name {
            case "pending": []
            case "requested": paid
            case "offered": sent
            case "accepted": confirmed
            case "inProgress": begun
            case "completed": begun + [(.complete, .provider)]
            case "refused": paid + [(.decline(reason: "no"), .admin)]
            case "expired": paid + [(.windowOver(.desk), .system)]
            case "cancelled": paid + [(.cancel(reason: nil), .customer)]
            default: begun + [(.report(SampleOrder.report, reason: "unsafe"), .customer)]
            }
        var order = opened()
        for (trigger, actor) in steps { order = try apply(trigger, actor, to: order, at: time(of: trigger)).order }
        return order
    }

    /// A visit begins at its time; all else may come at once.
    private static func time(of trigger: OrderTrigger) -> Date {
        switch trigger {
        case .start, .complete: visitTime
        // Who is there waits a while for the other.
        case .missCustomer, .missProvider: visitTime.addingTimeInterval(900)
        default: SampleOrder.start
        }
    }

    private static func apply(
        _ trigger: OrderTrigger, _ actor: OrderActor, to order: Order, at now: Date = SampleOrder.start
    ) throws(OrderRefusal) -> OrderChange {
        try order.applying(trigger, by: actor, at: now, windows: SampleOrder.windows, in: .homeCare)
    }

    @Test("O1, Q7: who came along with a partner that is taken off the visit is not shown to the next one")
    func companions() throws {
        var order = Self.opened()
        for (trigger, actor) in [
            (.paymentHeld(SampleParcel.news), .system), (.assign(SampleOrder.other), .admin),
            (.accept(companion: "Huda Salem"), .provider),
        ] as [(OrderTrigger, OrderActor)] {
            order = try Self.apply(trigger, actor, to: order).order
        }
        #expect(order.companion == "Huda Salem")
        order = try Self.apply(.unassign(reason: nil), .admin, to: order).order
        #expect(order.provider == nil && order.companion == nil)
    }

    /// Everything that can happen to a visit of a care partner, and what comes of it. All else is refused.
    static let table: [String: [String: OrderState]] = [
        "pending": [
            "paymentHeld system": .requested, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "paymentWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "requested": [
            "assign admin": .offered, "reschedule admin": .requested, "decline admin": .refused,
            "cancel customer": .cancelled, "cancel admin": .cancelled, "deskWindowOver system": .expired,
            "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled,
        ],
        "offered": [
            "accept provider": .accepted, "decline provider": .requested, "unassign admin": .requested,
            "assignmentWindowOver system": .requested, "askForTime provider": .offered, "reschedule admin": .offered,
            "cancel customer": .cancelled, "cancel admin": .cancelled, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .requested,
        ],
        "accepted": [
            "start provider": .inProgress, "decline provider": .refused, "giveUp provider": .requested,
            "unassign admin": .requested, "askForTime provider": .accepted, "reschedule admin": .accepted,
            "cancel customer": .cancelled, "cancel admin": .cancelled, "report customer": .disputed,
            "report provider": .disputed, "arrivalWindowOver system": .cancelled, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "providerBanned system": .requested,
            "missProvider customer": .cancelled, "missCustomer provider": .cancelled,
        ],
        "inProgress": [
            "complete provider": .completed, "report customer": .disputed, "report provider": .disputed,
            "completionWindowOver system": .disputed, "paymentReleased system": .cancelled,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ],
        "completed": ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        "refused": ["paymentReleased system": .refused],
        "expired": ["paymentReleased system": .expired],
        "cancelled": ["paymentReleased system": .cancelled],
        "disputed": [
            "decideForProvider admin": .completed, "decideForCustomer admin": .cancelled,
            "decisionWindowOver system": .disputed, "paymentCaptured system": .disputed,
            "paymentReleased system": .disputed,
        ],
    ]

    /// Deposits end for every kind, though no visit has one.
    private static let known = Set(table.values.flatMap(\.keys) + ["depositEnded system"])

    static let sample = WorkflowSample(
        workflow: .homeCare, table: table, standing: { try standing($0) },
        mayEver: { trigger, actor in known.contains("\(trigger.kind.rawValue) \(actor.rawValue)") },
        moment: { time(of: $0) },
        opened: { _ in (opened(), HomeCareModel(time: visitTime, at: SampleOrder.start)) },
        trigger: { _, _, generator in trigger(&generator) }, pause: 20,
        // A visit begins at its time and no earlier.
        waits: { trigger, order, now, generator in
            guard trigger == .start, let time = order.scheduledAt, Bool.random(using: &generator) else { return now }
            return max(now, time)
        },
        marks: .states([
            .pending, .requested, .offered, .accepted, .inProgress, .disputed, .completed, .cancelled, .refused,
            .expired,
        ]))

    @Test("O7, P3a: the desk has until the visit's time, and who confirmed has a while from then on")
    func waits() throws {
        #expect(try Self.standing("requested").deadline == Self.visitTime)
        #expect(try Self.standing("offered").deadline == SampleOrder.start.addingTimeInterval(3_600))
        #expect(try Self.standing("accepted").deadline == Self.visitTime.addingTimeInterval(7_200))
        let later = Self.visitTime.addingTimeInterval(3_600)
        let moved = try Self.apply(.reschedule(later), .admin, to: try Self.standing("accepted")).order
        #expect(moved.scheduledAt == later && moved.deadline == later.addingTimeInterval(7_200))
    }

    @Test("O7, P3a: nobody is waited for beyond the time of the visit: not for the money, the desk or a partner")
    func bounds() throws {
        // A quarter of an hour before its time.
        let now = Self.visitTime.addingTimeInterval(-900)
        let requested = try Self.standing("requested")
        let offered = try Self.apply(.assign(SampleOrder.other), .admin, to: requested, at: now).order
        #expect(offered.deadline == Self.visitTime)
        #expect(
            try Self.apply(.windowOver(.assignment), .system, to: offered, at: now).order.deadline == Self.visitTime)
        #expect(throws: OrderRefusal.tooLate(.requested)) {
            try Self.apply(.assign(SampleOrder.other), .admin, to: requested, at: Self.visitTime)
        }
        let windows = SampleOrder.windows
        #expect(windows.end(of: .payment, from: now, scheduled: now + 60) == now + 60)
        #expect(windows.end(of: .payment, from: now, scheduled: nil) == now + 600)
        #expect(windows.end(of: .payment, from: now, scheduled: now + 9e5, isByPhone: true) == now + 172_800)
        #expect(windows.end(of: .payment, from: now, scheduled: now + 9_000, isByPhone: true) == now + 9_000)
        #expect(windows.end(of: .desk, from: now) == now + 86_400)
    }

    @Test("O7: a visit begins at its time, or a little before it, and not days before; one for at once begins at once")
    func early() throws {
        let accepted = try Self.standing("accepted")
        let from = Self.visitTime.addingTimeInterval(-900)
        #expect(throws: OrderRefusal.tooEarly(until: from)) {
            try Self.apply(.start, .provider, to: accepted, at: from.addingTimeInterval(-0.001))
        }
        #expect(try Self.apply(.start, .provider, to: accepted, at: from).order.arrivedAt == from)
        var atOnce = accepted
        atOnce.scheduledAt = nil
        #expect(try Self.apply(.start, .provider, to: atOnce).order.state == .inProgress)
    }

    @Test("O7: who is not there at the time is waited for, and then missed; the money goes back and nobody is fined")
    func absent() throws {
        let accepted = try Self.standing("accepted")
        let from = Self.visitTime.addingTimeInterval(900)
        let sides: [(OrderTrigger, OrderActor, String)] = [
            (.missProvider, .customer, "no-show"), (.missCustomer(fine: .none), .provider, "customer-no-show"),
        ]
        for (trigger, actor, reason) in sides {
            #expect(throws: OrderRefusal.tooEarly(until: from)) {
                try Self.apply(trigger, actor, to: accepted, at: from.addingTimeInterval(-1))
            }
            let missed = try Self.apply(trigger, actor, to: accepted, at: from).order
            #expect(missed.reason == reason && missed.ending?.by == actor && missed.ending?.fine == nil)
            #expect(missed.paidTo == .customer)
        }
    }

    @Test("O7: another time that was asked for is gone once an admin has set one, or somebody else is looked for")
    func times() throws {
        let wish = Self.visitTime.addingTimeInterval(1_800)
        let asked = try Self.apply(.askForTime(wish), .provider, to: try Self.standing("offered")).order
        #expect(asked.proposedAt == wish && asked.scheduledAt == Self.visitTime)
        #expect(try Self.apply(.reschedule(wish), .admin, to: asked).order.proposedAt == nil)
        let back = try Self.apply(.windowOver(.assignment), .system, to: asked)
        #expect(back.order.provider == nil && back.order.proposedAt == nil && back.former == SampleOrder.other)
    }

    @Test("O7, P3a: who asks for another time, however often, is waited for no longer; the answer's end stays, too")
    func asking() throws {
        var offered = try Self.standing("offered")
        let end = offered.deadline
        for hours in 1...5 {
            let wish = Self.visitTime.addingTimeInterval(Double(hours) * 3_600)
            let now = SampleOrder.start.addingTimeInterval(Double(hours) * 300)
            offered = try Self.apply(.askForTime(wish), .provider, to: offered, at: now).order
            #expect(offered.deadline == end && offered.proposedAt == wish)
        }
        // At once: the customer waits from the yes on.
        var accepted = try Self.standing("accepted")
        accepted.scheduledAt = nil
        let (since, arrival) = (accepted.changedAt, accepted.deadline)
        for minutes in 1...14 {
            let now = since.addingTimeInterval(Double(minutes) * 60)
            accepted = try Self.apply(.askForTime(Self.visitTime), .provider, to: accepted, at: now).order
            #expect(accepted.changedAt == since && accepted.deadline == arrival)
        }
        #expect(throws: OrderRefusal.tooEarly(until: since + 900)) {
            try Self.apply(.missProvider, .customer, to: accepted, at: since + 899)
        }
        #expect(try Self.apply(.missProvider, .customer, to: accepted, at: since + 900).order.state == .cancelled)
    }

    @Test(
        "O7: visits are wholly within the market's hours, in its zone, and not before now",
        arguments: [
            ("2027-03-01T14:00:00Z", nil), ("2027-03-01T13:59:00Z", CareTime.Fault.closed),
            ("2027-03-02T01:00:00Z", nil), ("2027-03-02T01:01:00Z", .closed), ("2027-02-01T18:00:00Z", .past),
            ("2029-02-01T18:00:00Z", .tooFarAhead),
        ] as [(String, CareTime.Fault?)])
    func hours(_ text: String, _ fault: CareTime.Fault?) throws {
        let now = try Date("2027-02-20T12:00:00Z", strategy: .iso8601)
        let time = try Date(text, strategy: .iso8601)
        var found: CareTime.Fault?
        do {
            try CareTime.check(
                time, minutes: 60, hours: OpeningHours("08:00-20:00"), timeZone: "America/Regina", at: now)
        } catch {
            found = error
        }
        #expect(found == fault)
    }

    @Test(
        "O7: a visit that goes on through closed hours is refused, though it begins and ends in open ones",
        arguments: [
            ("08:00-20:00", "2027-03-01T18:00:00Z", 780, CareTime.Fault.closed),
            ("08:00-20:00", "2027-03-01T14:00:00Z", 720, nil), ("08:00-20:00", "2027-03-01T14:00:00Z", 1_500, .closed),
            ("06:00-02:00", "2027-03-02T07:00:00Z", 420, .closed), ("06:00-02:00", "2027-03-02T05:00:00Z", 180, nil),
            ("22:00-06:00", "2027-03-02T05:00:00Z", 300, nil), ("08:00-08:00", "2027-03-02T05:00:00Z", 1_440, nil),
        ] as [(String, String, Int, CareTime.Fault?)])
    func closedBetween(_ hours: String, _ text: String, _ minutes: Int, _ fault: CareTime.Fault?) throws {
        let now = try Date("2027-02-20T12:00:00Z", strategy: .iso8601)
        let time = try Date(text, strategy: .iso8601)
        var found: CareTime.Fault?
        do {
            try CareTime.check(
                time, minutes: minutes, hours: OpeningHours(hours), timeZone: "America/Regina", at: now)
        } catch {
            found = error
        }
        #expect(found == fault)
    }

    private static func trigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(method: "wallet", version: Int.random(in: 1...8, using: &generator))
        let day = SampleOrder.start.addingTimeInterval(Double.random(in: 0...400_000, using: &generator))
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .assign(SampleOrder.other), .assign(SampleOrder.other),
                .accept(companion: nil), .accept(companion: nil), .start, .start, .complete, .decline(reason: nil),
                .cancel(reason: nil), .unassign(reason: nil), .giveUp(reason: nil), .askForTime(day), .reschedule(day),
                .report(SampleOrder.report, reason: "unsafe"), .decide(SampleOrder.verdict(decision)),
                .paymentCaptured(news), .paymentReleased(news), .depositEnded(toCustomer: false), .arrive,
                .take(SampleOrder.other), .missProvider, .missCustomer(fine: .none), .customerBanned, .providerBanned,
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 9, &generator)
    }
}
