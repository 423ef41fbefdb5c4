import Foundation
import SeraiJSON
import TestKit

@testable import SeraiDispatch

/// A meal for tests of the domain.
enum SampleMeal {
    static let start = SampleOrder.start
    static let courier = SampleOrder.other
    static let owner = Order.Party(account: SequentialIDs(first: 820).next(), name: "Levant")
    static let news = OrderTrigger.PaymentNews(method: "card", version: 2)

    static func opened() -> Order {
        let ids = SequentialIDs(first: 90)
        let request = Order.Request(
            id: ids.next(), market: "btnc", customer: Order.Party(account: ids.next(), name: "Mira"), provider: nil,
            lines: [
                Order.Line(service: "meal", names: ["en": "2 × Tabbouleh"], price: 2_400),
                Order.Line(service: "delivery", names: ["en": "Delivery"], price: 700),
            ], total: 3_100, currency: "AUD",
            place: Order.Place(latitude: -31.95, longitude: 115.86, description: "Levant"),
            destination: Order.Place(latitude: -31.94, longitude: 115.86, description: "Blue door"),
            shares: [Order.Share(party: .merchant, account: owner.account, name: owner.name, amount: 2_400)],
            particulars: .food(
                Order.Food(
                    restaurant: ids.next(),
                    items: [Order.Food.Item(item: ids.next(), name: "Tabbouleh", price: 1_200, count: 2)],
                    quote: ids.next(), metres: 1_500, seconds: 200, approachSeconds: 400, preparationMinutes: 20)))
        return Order.opened(request, at: start, windows: SampleOrder.windows, in: .food).order
    }

    static func after(_ steps: [(OrderTrigger, OrderActor)]) throws -> Order {
        var order = opened()
        for (trigger, actor) in steps {
            order = try order.applying(trigger, by: actor, at: start, windows: SampleOrder.windows, in: .food).order
        }
        return order
    }

    /// The way to everything that a meal can be in.
    static func standing(_ name: String) throws -> Order {
        let paid: [(OrderTrigger, OrderActor)] = [(.paymentHeld(news), .system)]
        let cooking = paid + [(.accept(companion: nil, minutes: 30), .merchant)]
        let offered = cooking + [(.offer(courier), .system)]
        let accepted = offered + [(.accept(companion: nil), .provider)]
        let started = accepted + [(.arrive, .provider), (.start, .merchant)]
        let brought = started + [(.complete, .provider)]
        return switch name {
        case "pending": try after([])
        case "requested": try after(paid)
        case "preparing": try after(cooking)
        case "ready": try after(cooking + [(.ready, .merchant)])
        case "offered": try after(offered)
        case "accepted": try after(accepted)
        case "arrived": try after(accepted + [(.arrive, .provider)])
        case "started": try after(started)
        case "near": try after(started + [(.comeNear(metresLeft: 200, secondsLeft: 20), .system)])
        case "brought": try after(brought)
        case "completed": try after(brought + [(.complete, .customer)])
        case "cancelled": try after([(.cancel(reason: nil), .customer)])
        case "refused": try after(paid + [(.decline(reason: "No more bread"), .merchant)])
        case "expired": try after([(.windowOver(.payment), .system)])
        default: try after(cooking + [(.windowOver(.search), .system)])
        }
    }
}

/// What a meal should do, written a second time and in another way than the workflow's table.
struct MealModel: WorkflowModel {
    /// Where the food is, and who is on it.
    enum Scene: Equatable {
        case unpaid, ordered, cooking, asking, fetching, atCounter, carried, brought, atCourt
        case over(OrderState)
    }

    var scene = Scene.unpaid
    var courier: UUID?
    /// Whether the courier's one place is kept for it.
    var isHeld = false
    var isReady = false
    var isNear = false
    /// Since when the customer is awaited at the door.
    var nearAt: Date?
    var isReported = false
    var changes = 1
    var payment = 0
    var readyAt: Date?
    var searchEnd: Date?
    var deadline: Date? = SampleMeal.start.addingTimeInterval(600)

    var state: OrderState {
        switch scene {
        case .unpaid: .pending
        case .ordered: .requested
        case .cooking: .preparing
        case .asking: .offered
        case .fetching: .accepted
        case .atCounter: .arrived
        case .carried, .brought: .inProgress
        case .atCourt: .disputed
        case .over(let state): state
        }
    }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool {
        switch trigger {
        case .take, .giveUp, .arrive, .missCustomer: actor == .provider
        case .accept, .decline: actor == .provider || actor == .merchant
        case .ready, .start: actor == .merchant
        case .cancel: actor == .customer || actor == .admin
        case .complete: actor == .customer || actor == .provider
        case .report: actor == .customer || actor == .provider || actor == .merchant
        case .decide: actor == .admin
        case .paymentHeld, .paymentCaptured, .paymentReleased, .offer, .comeNear: actor == .system
        // In common with kinds that have deposits; of a meal there is none.
        case .depositEnded, .customerBanned, .providerBanned, .merchantBanned: actor == .system
        case .windowOver(let window):
            actor == .system
                && [.payment, .accept, .search, .offer, .arrival, .completion, .confirmation, .decision].contains(
                    window)
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
        case .missCustomer:
            if let nearAt, now < nearAt + 900 { return .tooEarly }
        default: break
        }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        return .done
    }

    private var isBeforeHandOver: Bool { [.cooking, .asking, .fetching, .atCounter].contains(scene) }

    private mutating func move(_ trigger: OrderTrigger, _ actor: OrderActor, _ now: Date) -> Bool {
        func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }
        switch (scene, trigger) {
        case (.unpaid, .paymentHeld): (scene, deadline) = (.ordered, after(120))
        case (.unpaid, .windowOver(.payment)), (.ordered, .windowOver(.accept)): end(.expired)
        case (.unpaid, .cancel), (.ordered, .cancel), (.unpaid, .paymentReleased), (.ordered, .paymentReleased):
            end(.cancelled)
        case (.unpaid, .customerBanned), (.ordered, .customerBanned), (.unpaid, .merchantBanned),
            (.ordered, .merchantBanned):
            end(.cancelled)
        case (_, .merchantBanned) where isBeforeHandOver: end(.cancelled)
        case (_, .customerBanned) where isBeforeHandOver: judge(now)
        case (.asking, .providerBanned): (scene, courier, isHeld, deadline) = (.cooking, nil, false, searchEnd)
        case (.fetching, .providerBanned), (.atCounter, .providerBanned): search(now)
        case (.carried, .customerBanned), (.carried, .providerBanned), (.brought, .customerBanned),
            (.brought, .providerBanned):
            judge(now)
        case (.ordered, .accept(_, let minutes)) where actor == .merchant:
            readyAt = after(Double(minutes ?? 20) * 60)
            search(now)
        case (_, .ready) where isBeforeHandOver && !isReady: (isReady, readyAt) = (true, now)
        case (_, .decline) where actor == .merchant && [.ordered, .cooking, .asking].contains(scene): end(.refused)
        case (.cooking, .offer(let party)):
            (scene, courier, isHeld, deadline) = (.asking, party.account, true, after(20))
        case (.cooking, .take(let party)):
            (scene, courier, isHeld, deadline) = (.fetching, party.account, true, after(7_200))
        case (.asking, .accept) where actor == .provider: (scene, deadline) = (.fetching, after(7_200))
        case (.asking, .decline), (.asking, .windowOver(.offer)):
            (scene, courier, isHeld, deadline) = (.cooking, nil, false, searchEnd)
        case (.fetching, .giveUp), (.atCounter, .giveUp), (.fetching, .windowOver(.arrival)): search(now)
        case (.fetching, .arrive): (scene, deadline) = (.atCounter, after(43_200))
        case (.fetching, .start), (.atCounter, .start): (scene, deadline) = (.carried, after(43_200))
        case (.carried, .comeNear) where !isNear, (.brought, .comeNear) where !isNear: (isNear, nearAt) = (true, now)
        // Cooked and brought: paid.
        case (.carried, .missCustomer) where isNear: end(.completed)
        case (.carried, .complete) where actor == .provider:
            (scene, isHeld, deadline) = (.brought, false, after(86_400))
        case (.brought, .complete) where actor == .customer: end(.completed)
        case (.brought, .windowOver(.confirmation)): end(.completed)
        case (_, .cancel) where isBeforeHandOver && actor == .admin: end(.cancelled)
        case (_, .paymentReleased) where isBeforeHandOver: end(.cancelled)
        case (.cooking, .report), (.asking, .report):
            guard actor != .provider else { return false }
            judge(now)
        case (.fetching, .report), (.atCounter, .report), (.carried, .report), (.brought, .report),
            (.cooking, .windowOver(.search)), (.atCounter, .windowOver(.completion)),
            (.carried, .windowOver(.completion)), (.carried, .paymentReleased), (.brought, .paymentReleased):
            judge(now)
        case (.atCourt, .decide(let verdict)): end(verdict.decision == .returnToCustomer ? .cancelled : .completed)
        case (.atCourt, .windowOver(.decision)): deadline = after(259_200)
        case (.atCourt, .paymentCaptured), (.atCourt, .paymentReleased), (.over(.completed), .paymentCaptured),
            (.over, .paymentReleased):
            break
        default: return false
        }
        return true
    }

    /// Until it has been ready for as long as is searched.
    private mutating func search(_ now: Date) {
        (scene, courier, isHeld, isNear) = (.cooking, nil, false, false)
        searchEnd = max(now, readyAt ?? now).addingTimeInterval(604_800)
        deadline = searchEnd
    }

    private mutating func judge(_ now: Date) {
        if scene == .asking { courier = nil }
        (scene, isHeld, isReported, deadline) = (.atCourt, false, true, now.addingTimeInterval(259_200))
    }

    private mutating func end(_ state: OrderState) {
        // Who was only asked has nothing to do with it any more.
        if scene == .asking { courier = nil }
        (scene, isHeld, deadline) = (.over(state), false, nil)
    }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.provider?.account == courier && (order.report != nil) == isReported && order.isNear == isNear
            && order.payment.version == payment && effects.isHeld == isHeld
            && order.nearAt == nearAt && order.food?.isReady == isReady && order.food?.readyAt == readyAt
            && order.payees?.reduce(0) { $0 + $1.amount } == (courier == nil ? 2_400 : 3_100)
    }
}
