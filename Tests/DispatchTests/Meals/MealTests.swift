import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O9: the workflow of a meal", .timeLimit(.minutes(15)))
struct MealTests {
    private static let reports: [String: OrderState] = [
        "report customer": .disputed, "report provider": .disputed, "report merchant": .disputed,
    ]
    private static let cooking: [String: OrderState] = [
        "offer system": .offered, "take provider": .accepted, "decline merchant": .refused, "cancel admin": .cancelled,
        "report customer": .disputed, "report merchant": .disputed, "searchWindowOver system": .disputed,
        "paymentReleased system": .cancelled, "customerBanned system": .disputed, "merchantBanned system": .cancelled,
    ]
    private static let carried: [String: OrderState] = reports.merging([
        "complete provider": .inProgress, "completionWindowOver system": .disputed, "paymentReleased system": .disputed,
        "customerBanned system": .disputed, "providerBanned system": .disputed,
    ]) { $1 }

    /// Everything that can happen to a meal, and what comes of it. All else is refused.
    static let table: [String: [String: OrderState]] = [
        "pending": [
            "paymentHeld system": .requested, "cancel customer": .cancelled, "cancel admin": .cancelled,
            "paymentWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "merchantBanned system": .cancelled,
        ],
        "requested": [
            "accept merchant": .preparing, "decline merchant": .refused, "cancel customer": .cancelled,
            "cancel admin": .cancelled, "acceptWindowOver system": .expired, "paymentReleased system": .cancelled,
            "customerBanned system": .cancelled, "merchantBanned system": .cancelled,
        ],
        "preparing": cooking.merging(["ready merchant": .preparing]) { $1 },
        "ready": cooking,
        "offered": [
            "accept provider": .accepted, "decline provider": .preparing, "offerWindowOver system": .preparing,
            "ready merchant": .offered, "decline merchant": .refused, "cancel admin": .cancelled,
            "report customer": .disputed, "report merchant": .disputed, "paymentReleased system": .cancelled,
            "customerBanned system": .disputed, "merchantBanned system": .cancelled,
            "providerBanned system": .preparing,
        ],
        "accepted": reports.merging([
            "arrive provider": .arrived, "ready merchant": .accepted, "start merchant": .inProgress,
            "giveUp provider": .preparing, "arrivalWindowOver system": .preparing, "cancel admin": .cancelled,
            "paymentReleased system": .cancelled, "customerBanned system": .disputed,
            "merchantBanned system": .cancelled,
            "providerBanned system": .preparing,
        ]) { $1 },
        "arrived": reports.merging([
            "ready merchant": .arrived, "start merchant": .inProgress, "giveUp provider": .preparing,
            "cancel admin": .cancelled, "completionWindowOver system": .disputed, "paymentReleased system": .cancelled,
            "customerBanned system": .disputed, "merchantBanned system": .cancelled,
            "providerBanned system": .preparing,
        ]) { $1 },
        "started": carried.merging(["comeNear system": .inProgress]) { $1 },
        "near": carried.merging(["missCustomer provider": .completed]) { $1 },
        "brought": reports.merging([
            "complete customer": .completed, "confirmationWindowOver system": .completed,
            "comeNear system": .inProgress, "paymentReleased system": .disputed,
            "customerBanned system": .disputed, "providerBanned system": .disputed,
        ]) { $1 },
        "completed": ["paymentCaptured system": .completed, "paymentReleased system": .completed],
        "cancelled": ["paymentReleased system": .cancelled],
        "refused": ["paymentReleased system": .refused],
        "expired": ["paymentReleased system": .expired],
        "disputed": [
            "decideForProvider admin": .completed, "decideForCustomer admin": .cancelled,
            "decisionWindowOver system": .disputed, "paymentCaptured system": .disputed,
            "paymentReleased system": .disputed,
        ],
    ]

    static let sample = WorkflowSample(
        workflow: .food, table: table, standing: { try SampleMeal.standing($0) }, mayEver: MealModel.mayEver,
        // A customer is waited for at the door.
        moment: { $0.kind == .missCustomer ? SampleOrder.later : SampleMeal.start },
        opened: { _ in (SampleMeal.opened(), MealModel()) },
        trigger: { _, _, generator in trigger(&generator) }, pause: 8,
        marks: .states(Set(Workflow.food.rows.map(\.to)).union([.pending])))

    @Test(
        "O9: a courier is searched for so early that he is there when it is ready, and until it has been ready a while")
    func timing() throws {
        let cooking = try SampleMeal.standing("preparing")
        let ready = SampleMeal.start.addingTimeInterval(1_800)
        #expect(cooking.food?.readyAt == ready && cooking.food?.preparationMinutes == 30)
        #expect(cooking.searchOpensAt == ready.addingTimeInterval(-400))
        #expect(cooking.deadline == SampleOrder.windows.end(of: .search, from: ready))
        #expect(cooking.arrivesAt == ready.addingTimeInterval(200))
        let usual = try SampleMeal.after([
            (.paymentHeld(SampleMeal.news), .system), (.accept(companion: nil), .merchant),
        ])
        #expect(usual.food?.readyAt == SampleMeal.start.addingTimeInterval(1_200))
        let quick = try SampleMeal.after([
            (.paymentHeld(SampleMeal.news), .system), (.accept(companion: nil, minutes: 5), .merchant),
        ])
        #expect(quick.searchOpensAt == nil)
        let now = SampleMeal.start.addingTimeInterval(60)
        let change = try cooking.applying(
            .ready, by: .merchant, at: now, windows: SampleOrder.windows, in: .food)
        #expect(change.order.searchOpensAt == nil && change.order.food?.readyAt == now)
        #expect(change.order.deadline == cooking.deadline && change.effects.contains(.startsSearchNow))
    }

    @Test("O9: three are paid: the restaurant what it sold, and the rest whoever has the order")
    func shares() throws {
        let merchant = Order.Share(
            party: .merchant, account: SampleMeal.owner.account, name: "Levant", amount: 2_400)
        for standing in ["pending", "requested", "preparing", "disputed"] {
            #expect(try SampleMeal.standing(standing).payees == [merchant])
        }
        let courier = Order.Share(
            party: .provider, account: SampleMeal.courier.account, name: SampleMeal.courier.name, amount: 700)
        for standing in ["offered", "accepted", "brought", "completed"] {
            #expect(try SampleMeal.standing(standing).payees == [merchant, courier])
        }
        let again = try SampleMeal.standing("accepted").applying(
            .giveUp(reason: nil), by: .provider, at: SampleMeal.start, windows: SampleOrder.windows, in: .food)
        #expect(again.order.payees == [merchant] && again.order.reason == "given-up")
    }

    @Test("O3, O9: whoever has earned a meal is said to be paid: the restaurant alone when nobody has brought it")
    func paidTo() throws {
        let courierless = try SampleMeal.standing("disputed")
        var withCourier = try SampleMeal.standing("brought").applying(
            .report(SampleOrder.report, reason: "not-received"), by: .customer, at: SampleMeal.start,
            windows: SampleOrder.windows, in: .food
        ).order
        #expect(courierless.paidTo == nil && withCourier.paidTo == nil && withCourier.provider != nil)
        func decided(_ order: Order, _ decision: Order.Verdict.Decision) throws -> Order {
            try order.applying(
                .decide(SampleOrder.verdict(decision, toCustomer: 700)), by: .admin, at: SampleMeal.start,
                windows: SampleOrder.windows, in: .food
            ).order
        }
        let expected: [(Order.Verdict.Decision, Order.Ending.Payee, Order.Ending.Payee)] = [
            (.payProvider, .merchant, .both), (.split, .both, .both), (.returnToCustomer, .customer, .customer),
        ]
        for (decision, alone, together) in expected {
            #expect(try decided(courierless, decision).paidTo == alone, "\(decision)")
            #expect(try decided(withCourier, decision).paidTo == together, "\(decision)")
        }
        #expect(try SampleMeal.standing("completed").paidTo == .both)
        // A way that costs nothing is paid to nobody.
        withCourier.shares = [
            Order.Share(
                party: .merchant, account: SampleMeal.owner.account, name: "Levant", amount: withCourier.total)
        ]
        #expect(try decided(withCourier, .payProvider).paidTo == .merchant)
        let lost = try SampleMeal.standing("completed").applying(
            .paymentReleased(.init(method: "card", version: 9)), by: .system, at: SampleMeal.start,
            windows: SampleOrder.windows, in: .food)
        #expect(lost.order.paidTo == .nobody)
    }

    @Test("O9, P3a: a customer who is not at the door is waited for since the courier is near, and pays for the meal")
    func nobodyAtTheDoor() throws {
        func apply(
            _ trigger: OrderTrigger, _ actor: OrderActor, to order: Order, after seconds: Double
        ) throws -> Order {
            try order.applying(
                trigger, by: actor, at: SampleMeal.start + seconds, windows: SampleOrder.windows, in: .food
            ).order
        }
        let started = try SampleMeal.standing("started")
        // Of who has not been near nobody knows that he has waited.
        #expect(throws: OrderRefusal.wrongState(.inProgress)) {
            try apply(.missCustomer(fine: .none), .provider, to: started, after: 10_000)
        }
        let near = try apply(.comeNear(metresLeft: 200, secondsLeft: 20), .system, to: started, after: 500)
        #expect(near.nearAt == SampleMeal.start + 500 && near.arrivedAt == started.arrivedAt)
        #expect(throws: OrderRefusal.tooEarly(until: SampleMeal.start + 1_400)) {
            try apply(.missCustomer(fine: .none), .provider, to: near, after: 1_399)
        }
        let missed = try apply(.missCustomer(fine: .none), .provider, to: near, after: 1_400)
        #expect(missed.state == .completed && missed.reason == "customer-no-show" && missed.deadline == nil)
        #expect(missed.ending?.by == .provider && missed.ending?.fine == nil && missed.paidTo == .both)
        #expect(missed.payees?.map(\.amount) == [2_400, 700])
        // Once it was handed over nobody is missed any more.
        let brought = try apply(.complete, .provider, to: near, after: 600)
        #expect(throws: OrderRefusal.wrongState(.inProgress)) {
            try apply(.missCustomer(fine: .none), .provider, to: brought, after: 2_000)
        }
    }

    @Test("O9, Q7: the restaurant is a party from when it is paid on; others are strangers")
    func roles() throws {
        let owner = SampleMeal.owner.account
        #expect(try SampleMeal.standing("pending").role(of: owner) == nil)
        #expect(try SampleMeal.standing("expired").role(of: owner) == nil)
        #expect(try SampleMeal.standing("requested").role(of: owner) == .merchant)
        #expect(try SampleMeal.standing("completed").role(of: owner) == .merchant)
        #expect(try SampleMeal.standing("accepted").role(of: SampleMeal.courier.account) == .provider)
        #expect(try SampleMeal.standing("completed").role(of: .timeOrdered()) == nil)
    }

    @Test("O9: what only a meal has is the same after it was kept")
    func kept() throws {
        var order = try SampleMeal.standing("ready")
        order.renewCode("0420")
        let particulars = try #require(order.particulars)
        let json = try JSONEncoder().encode(particulars)
        #expect(try JSONDecoder().decode(Order.Particulars.self, from: json) == particulars)
        #expect(particulars.quote != nil && order.food?.handOverCode == "0420")
    }

    @Test("O9: a cart is what the menu says at this moment, or says what has changed")
    func cart() throws {
        let ids = SequentialIDs(first: 500)
        let menu = (0..<3).map {
            MenuItem(
                id: ids.next(), name: "Dish \($0)", arabicName: nil, price: 1_000 + $0, ingredients: nil, picture: nil)
        }
        let entries = menu.map { Cart.Entry(item: $0.id, count: 2, price: $0.price) }
        #expect(try Cart(entries: entries.reversed()).items(of: menu) == menu.reversed())
        var changed = menu
        changed[1].price = 2_000
        changed.removeLast()
        #expect(
            throws: MealRefusal.menuChanged([
                .init(item: menu[1].id, index: 1, name: "Dish 1", price: 2_000),
                .init(item: menu[2].id, index: 2, name: nil, price: nil),
            ])
        ) { try Cart(entries: entries).items(of: changed) }
    }

    private static func trigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(method: "card", version: Int.random(in: 1...8, using: &generator))
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let minutes = Bool.random(using: &generator) ? Int.random(in: 1...60, using: &generator) : nil
        // Those that lead on come more often, so that walks get somewhere.
        let all: [OrderTrigger] =
            [
                .paymentHeld(news), .paymentHeld(news), .paymentHeld(news), .offer(SampleMeal.courier),
                .offer(SampleMeal.courier), .take(SampleMeal.courier), .accept(companion: nil, minutes: minutes),
                .accept(companion: nil, minutes: minutes), .accept(companion: nil), .accept(companion: nil),
                .decline(reason: "no"), .ready, .ready, .arrive, .arrive, .start, .start, .start, .complete, .complete,
                .complete, .complete, .comeNear(metresLeft: 1, secondsLeft: 1), .giveUp(reason: nil),
                .cancel(reason: nil), .report(SampleOrder.report, reason: "unsafe"),
                .decide(SampleOrder.verdict(decision)), .decide(SampleOrder.verdict(decision)),
                .paymentCaptured(news), .paymentReleased(news), .depositEnded(toCustomer: true), .customerBanned,
                .providerBanned, .merchantBanned, .missCustomer(fine: .none), .missCustomer(fine: .none),
            ] + OrderWindow.allCases.map { .windowOver($0) }
        return all.step(onward: 21, &generator)
    }
}
