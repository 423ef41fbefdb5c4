import Foundation
import SeraiJSON
import TestKit

@testable import SeraiDispatch

/// A ride for tests of the domain.
enum SampleRide {
    static let start = SampleOrder.start
    static let driver = SampleOrder.other
    static let news = OrderTrigger.PaymentNews(method: "card", version: 2)

    static func opened() -> Order {
        let ids = SequentialIDs(first: 60)
        let request = Order.Request(
            id: ids.next(), market: "btnc", customer: Order.Party(account: ids.next(), name: "Ruby"), provider: nil,
            lines: [Order.Line(service: "ride", names: ["en": "Ride"], price: 2_000)], total: 2_000, currency: "AUD",
            place: Order.Place(latitude: -31.95, longitude: 115.86, description: nil),
            destination: Order.Place(latitude: -31.9, longitude: 115.86, description: nil),
            particulars: .ride(
                Order.Ride(size: .regular, quote: ids.next(), metres: 7_000, seconds: 700, startCode: "0420")))
        return Order.opened(request, at: start, windows: SampleOrder.windows, in: .ride).order
    }

    static func after(_ steps: [(OrderTrigger, OrderActor)]) throws -> Order {
        var order = opened()
        for (trigger, actor) in steps {
            order = try order.applying(trigger, by: actor, at: start, windows: SampleOrder.windows, in: .ride).order
        }
        return order
    }

    /// The way to everything that a ride can be in.
    static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(news), .system)]
        let offered = paid + [(.offer(driver), .system)]
        let accepted = offered + [(.accept(companion: nil), .provider)]
        let arrived = accepted + [(.arrive, .provider)]
        let started = arrived + [(.start, .provider)]
        let brought = started + [(.complete, .provider)]
        return switch name {
        case "pending": try after([])
        case "requested": try after(paid)
        case "offered": try after(offered)
        case "accepted": try after(accepted)
        case "near": try after(accepted + [(.comeNear(metresLeft: 200, secondsLeft: 20), .system)])
        case "arrived": try after(arrived)
        case "started": try after(started)
        case "brought": try after(brought)
        case "completed": try after(brought + [(.complete, .customer)])
        case "cancelled": try after([(.cancel(reason: nil), .customer)])
        case "expired": try after([(.windowOver(.payment), .system)])
        default: try after(started + [(.report(SampleOrder.report, reason: "unsafe"), .customer)])
        }
    }
}

/// What a ride should do, written a second time and in another way than the workflow's table.
struct RideModel: WorkflowModel {
    /// Who is where.
    enum Scene: Equatable {
        case unpaid, searching, asking, coming, waiting, driving, brought, leftEarly, atCourt
        case over(OrderState)
    }

    var scene = Scene.unpaid
    var driver: UUID?
    /// Whom the driver's one place is kept for.
    var isHeld = false
    var isNear = false
    var isReported = false
    var fined = 0
    var changes = 1
    var payment = 0
    var arrived: Date?
    var changed = SampleRide.start
    var price = 2_000
    var searchEnd: Date?
    var deadline: Date? = SampleRide.start.addingTimeInterval(600)

    var state: OrderState {
        switch scene {
        case .unpaid: .pending
        case .searching: .requested
        case .asking: .offered
        case .coming: .accepted
        case .waiting: .arrived
        case .driving, .brought, .leftEarly: .inProgress
        case .atCourt: .disputed
        case .over(let state): state
        }
    }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool {
        switch trigger {
        case .take, .accept, .decline, .giveUp, .arrive, .start, .missCustomer: actor == .provider
        case .missProvider: actor == .customer
        case .cancel: actor == .customer || actor == .admin
        case .complete, .endEarly, .report: actor == .customer || actor == .provider
        case .decide: actor == .admin
        case .paymentHeld, .paymentCaptured, .paymentReleased, .offer, .comeNear: actor == .system
        // In common with kinds that have deposits; of a ride there is none.
        case .depositEnded, .customerBanned, .providerBanned: actor == .system
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
        case .take, .offer, .accept, .paymentHeld, .complete, .endEarly:
            if let deadline, deadline <= now { return .tooLate }
        case .missCustomer, .missProvider:
            if now < (arrived ?? changed).addingTimeInterval(900) { return .tooEarly }
        default: break
        }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        // To be near is not to be there.
        if trigger.kind != .comeNear { changed = now }
        return .done
    }

    private mutating func move(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }
        switch (scene, trigger) {
        case (.unpaid, .paymentHeld): search(until: after(604_800))
        case (.unpaid, .cancel), (.searching, .cancel), (.asking, .cancel), (.unpaid, .paymentReleased),
            (.searching, .paymentReleased), (.asking, .paymentReleased), (.coming, .paymentReleased),
            (.waiting, .paymentReleased), (.coming, .windowOver(.arrival)), (.waiting, .windowOver(.completion)):
            end(.cancelled)
        case (.unpaid, .customerBanned), (.searching, .customerBanned), (.asking, .customerBanned),
            (.coming, .customerBanned), (.waiting, .customerBanned):
            end(.cancelled)
        case (.asking, .providerBanned): search(until: searchEnd)
        case (.coming, .providerBanned), (.waiting, .providerBanned): search(until: after(604_800))
        case (.unpaid, .windowOver(.payment)), (.searching, .windowOver(.search)): end(.expired)
        case (.searching, .offer(let party)):
            (scene, driver, isHeld, deadline) = (.asking, party.account, true, after(20))
        case (.searching, .take(let party)):
            (scene, driver, isHeld, deadline) = (.coming, party.account, true, after(7_200))
        case (.asking, .accept): (scene, deadline) = (.coming, after(7_200))
        case (.asking, .decline), (.asking, .windowOver(.offer)): search(until: searchEnd)
        case (.coming, .giveUp), (.waiting, .giveUp): search(until: after(604_800))
        case (.coming, .missProvider): end(.cancelled)
        case (.coming, .comeNear) where !isNear: isNear = true
        case (.coming, .arrive): (scene, arrived, deadline) = (.waiting, now, after(43_200))
        case (.coming, .cancel), (.waiting, .cancel):
            if actor == .customer { fined = trigger.fine?.amount ?? 0 }
            end(.cancelled)
        case (.waiting, .missCustomer(let fine)):
            fined = fine.amount
            end(.cancelled)
        case (.waiting, .start): (scene, deadline) = (.driving, after(43_200))
        case (.driving, .complete) where actor == .provider:
            (scene, isHeld, deadline) = (.brought, false, after(86_400))
        case (.driving, .endEarly(let cost)):
            (scene, deadline) = (actor == .provider ? .brought : .leftEarly, after(86_400))
            if actor == .provider { (isHeld, price) = (false, min(price, cost)) }
        case (.brought, .complete) where actor == .customer: end(.completed)
        case (.leftEarly, .complete) where actor == .provider: end(.completed)
        case (.brought, .windowOver(.confirmation)), (.leftEarly, .windowOver(.confirmation)): end(.completed)
        case (.coming, .report), (.waiting, .report), (.driving, .report), (.brought, .report), (.leftEarly, .report),
            (.leftEarly, .customerBanned), (.leftEarly, .providerBanned), (.leftEarly, .paymentReleased),
            (.driving, .customerBanned), (.driving, .providerBanned), (.brought, .customerBanned),
            (.brought, .providerBanned), (.driving, .windowOver(.completion)), (.driving, .paymentReleased),
            (.brought, .paymentReleased):
            (scene, isHeld, isReported, deadline) = (.atCourt, false, true, after(259_200))
        case (.atCourt, .decide(let verdict)): end(verdict.decision == .returnToCustomer ? .cancelled : .completed)
        case (.atCourt, .windowOver(.decision)): deadline = after(259_200)
        case (.atCourt, .paymentCaptured), (.atCourt, .paymentReleased), (.over(.completed), .paymentCaptured),
            (.over, .paymentReleased):
            break
        default: return false
        }
        return true
    }

    private mutating func search(until end: Date?) {
        (scene, driver, isHeld, isNear, arrived) = (.searching, nil, false, false, nil)
        (searchEnd, deadline) = (end, end)
    }

    private mutating func end(_ state: OrderState) {
        // Who was only asked has nothing to do with it any more.
        if scene == .asking { driver = nil }
        (scene, isHeld, deadline) = (.over(state), false, nil)
    }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.provider?.account == driver && (order.report != nil) == isReported && order.isNear == isNear
            && order.payment.version == payment && effects.isHeld == isHeld
            && (order.ending?.fine?.amount ?? 0) == fined && order.total == price
    }
}
