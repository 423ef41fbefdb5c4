import Foundation
import SeraiJSON
import TestKit

@testable import SeraiDispatch

/// A bike that is brought, for tests of the domain.
enum SampleDropOff {
    static let start = SampleOrder.start
    static let driver = SampleOrder.other
    static let news = OrderTrigger.PaymentNews(method: "card", version: 2)

    static func opened() -> Order {
        let ids = SequentialIDs(first: 90)
        let request = Order.Request(
            id: ids.next(), market: "btnc", customer: Order.Party(account: ids.next(), name: "Ruby"), provider: nil,
            lines: [Order.Line(service: "bike", names: ["en": "City bike"], price: 2_500)], total: 2_500,
            currency: "AUD", place: Order.Place(latitude: -31.95, longitude: 115.86, description: "City"),
            destination: Order.Place(latitude: -31.9, longitude: 115.86, description: nil),
            particulars: .bike(
                Order.Bike(
                    rack: ids.next(), bike: ids.next(), quote: ids.next(), type: .city, metres: 7_000, seconds: 700)))
        return Order.opened(request, at: start, windows: SampleOrder.windows, in: .bikeDropOff).order
    }

    static func apply(
        _ trigger: OrderTrigger, _ actor: OrderActor, to order: Order, at now: Date = start
    ) throws(OrderRefusal) -> OrderChange {
        try order.applying(trigger, by: actor, at: now, windows: SampleOrder.windows, in: .bikeDropOff)
    }

    /// The way to everything that it can be in.
    static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(news), .system)]
        let offered = paid + [(.offer(driver), .system)]
        let accepted = offered + [(.accept(companion: nil), .provider)]
        let arrived = accepted + [(.arrive, .provider)]
        let started = arrived + [(.start, .system)]
        let brought = started + [(.complete, .provider)]
        let steps: [(OrderTrigger, OrderActor)] =
            switch name {
            case "pending": []
            case "requested": paid
            case "offered": offered
            case "accepted": accepted
            case "arrived": arrived
            case "started": started
            case "near": started + [(.comeNear(metresLeft: 200, secondsLeft: 20), .system)]
            case "brought": brought
            case "received": started + [(.complete, .customer)]
            case "completed": brought + [(.complete, .customer)]
            case "cancelled": [(.cancel(reason: nil), .customer)]
            case "expired": [(.windowOver(.payment), .system)]
            default: brought + [(.report(SampleOrder.report, reason: "not-received"), .customer)]
            }
        var order = opened()
        for (trigger, actor) in steps { order = try apply(trigger, actor, to: order).order }
        return order
    }
}

/// What becomes of a bike that is brought, written a second time and in another way than the workflow's table.
struct DropOffModel: WorkflowModel {
    /// Where the bike is: kept in the rack, let go to the driver, or for others again.
    enum Bike { case kept, out, free }
    /// What the driver is about.
    enum Driver { case none, asked, coming, atRack, riding, done }

    var bike = Bike.kept
    var driver = Driver.none
    var account: UUID?
    var isPaid = false
    var firstWord: OrderActor?
    var isNear = false
    /// Since when the customer is awaited at the door.
    var nearAt: Date?
    var court = false
    var isReported = false
    var final: OrderState?
    var fined = 0
    var changes = 1
    var payment = 0
    var searchEnd: Date?
    var deadline: Date? = SampleDropOff.start.addingTimeInterval(600)

    /// Since when the driver is awaited where he has to be next.
    var awaited = SampleDropOff.start

    var state: OrderState {
        if let final { return final }
        if court { return .disputed }
        return switch driver {
        case .none: isPaid ? .requested : .pending
        case .asked: .offered
        case .coming: .accepted
        case .atRack: .arrived
        case .riding, .done: .inProgress
        }
    }

    /// Whether the driver's one place is kept for it.
    var isHeld: Bool { final == nil && !court && [.asked, .coming, .atRack, .riding].contains(driver) }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool {
        switch trigger {
        case .take, .accept, .decline, .giveUp, .arrive, .missCustomer: actor == .provider
        case .cancel: actor == .customer || actor == .admin
        case .missProvider: actor == .customer
        case .complete, .report: actor == .customer || actor == .provider
        case .decide: actor == .admin
        // The last is in common with kinds that have deposits.
        case .start, .paymentHeld, .paymentCaptured, .paymentReleased, .offer, .comeNear, .customerBanned,
            .providerBanned, .depositEnded:
            actor == .system
        case .windowOver(let window):
            actor == .system
                && [.payment, .search, .offer, .arrival, .completion, .confirmation, .decision].contains(window)
        default: false
        }
    }

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer {
        if let news = trigger.payment, news.version <= payment { return .outdated }
        guard Self.mayEver(trigger, actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, actor, now) else { return .wrongState }
        switch trigger {
        case .take, .offer, .accept, .paymentHeld, .complete:
            if let deadline, deadline <= now { return .tooLate }
        case .missProvider where now < awaited + 900: return .tooEarly
        case .missCustomer:
            if let nearAt, now < nearAt + 900 { return .tooEarly }
        default: break
        }
        if next.driver != driver { next.awaited = now }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        return .done
    }

    private mutating func move(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        if let final {
            switch trigger {
            case .paymentReleased: return true
            case .paymentCaptured: return final == .completed
            default: return false
            }
        }
        if court { return decide(trigger, now) }
        return bike == .out ? bring(trigger, actor, now) : fetch(trigger, actor, now)
    }

    /// Before the rack has let it go.
    private mutating func fetch(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        switch (driver, trigger) {
        case (_, .cancel):
            if actor == .customer, driver == .coming || driver == .atRack { fined = trigger.fine?.amount ?? 0 }
            end(.cancelled)
        case (_, .customerBanned), (_, .paymentReleased): end(.cancelled)
        case (.none, .paymentHeld) where !isPaid:
            isPaid = true
            search(until: now + 604_800)
        case (.none, .windowOver(.payment)) where !isPaid: end(.expired)
        case (.none, .windowOver(.search)) where isPaid: end(.expired)
        case (.none, .offer(let party)) where isPaid:
            (driver, account, deadline) = (.asked, party.account, now + 20)
        case (.none, .take(let party)) where isPaid:
            (driver, account, deadline) = (.coming, party.account, now + 7_200)
        case (.asked, .accept): (driver, deadline) = (.coming, now + 7_200)
        case (.asked, .decline), (.asked, .windowOver(.offer)), (.asked, .providerBanned): search(until: searchEnd)
        case (.coming, .arrive): (driver, deadline) = (.atRack, now + 43_200)
        case (.coming, .giveUp), (.coming, .windowOver(.arrival)), (.coming, .providerBanned), (.atRack, .giveUp),
            (.atRack, .providerBanned):
            search(until: now + 604_800)
        case (.coming, .missProvider), (.atRack, .missProvider), (.atRack, .windowOver(.completion)): end(.cancelled)
        case (.atRack, .start): (driver, bike, deadline) = (.riding, .out, now + 43_200)
        case (.coming, .report), (.atRack, .report):
            bike = .free
            accuse(now)
        default: return false
        }
        return true
    }

    /// From then on nothing takes it out of the driver's or the customer's hands.
    private mutating func bring(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        switch trigger {
        case .comeNear where !isNear: (isNear, nearAt) = (true, now)
        case .missCustomer where isNear && firstWord == nil:
            fined = trigger.fine?.amount ?? 0
            end(.cancelled)
        case .complete where firstWord == nil: (driver, firstWord, deadline) = (.done, actor, now + 86_400)
        case .complete where firstWord != actor: end(.completed)
        case .windowOver(.confirmation) where firstWord != nil: end(.completed)
        case .windowOver(.completion) where firstWord == nil: accuse(now)
        case .report, .customerBanned, .providerBanned, .paymentReleased: accuse(now)
        default: return false
        }
        return true
    }

    private mutating func decide(_ trigger: OrderTrigger, _ now: Date) -> Bool {
        switch trigger {
        case .decide(let verdict): end(verdict.decision == .returnToCustomer ? .cancelled : .completed)
        case .windowOver(.decision): deadline = now + 259_200
        case .paymentCaptured, .paymentReleased: break
        default: return false
        }
        return true
    }

    private mutating func accuse(_ now: Date) { (court, isReported, deadline) = (true, true, now + 259_200) }

    private mutating func search(until end: Date?) {
        (driver, account, searchEnd, deadline) = (.none, nil, end, end)
    }

    private mutating func end(_ state: OrderState) {
        if bike == .kept { bike = .free }
        // Who was only asked has nothing to do with it.
        if driver == .asked { account = nil }
        (final, deadline) = (state, nil)
    }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.provider?.account == account && (order.report != nil) == isReported && order.isNear == isNear
            && order.nearAt == nearAt
            && order.payment.version == payment && effects.isHeld == isHeld
            && effects.isBikeReleased == (bike == .free)
            && (order.ending?.fine?.amount ?? 0) == fined && order.total == 2_500
    }
}
