import Foundation

@testable import SeraiDispatch

/// What a hire from a rack should do, written a second time and in another way than the workflow's table.
struct BikePickUpModel: WorkflowModel {
    /// Where the bike is, and whose.
    enum Bike: Equatable {
        case kept, ready, riding
        case over(OrderState)
    }

    var bike = Bike.kept
    var isForOthers = false
    var price = 3_700
    var payment = 0
    var changes = 1
    var deadline: Date?

    init(at now: Date) { deadline = now + 600 }

    var state: OrderState {
        switch bike {
        case .kept: .pending
        case .ready: .accepted
        case .riding: .inProgress
        case .over(let state): state
        }
    }

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool { actors(trigger).contains(actor) }

    /// Who can ever do it.
    private static func actors(_ trigger: OrderTrigger) -> Set<OrderActor> {
        switch trigger {
        case .cancel: [.customer, .admin]
        case .paymentHeld, .paymentCaptured, .paymentReleased, .start, .bringBack, .customerBanned, .depositEnded:
            [.system]
        case .windowOver(let window): [.payment, .arrival, .completion].contains(window) ? [.system] : []
        default: []
        }
    }

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer {
        if let news = trigger.payment, news.version <= payment { return .outdated }
        guard Self.mayEver(trigger, actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, now) else { return .wrongState }
        if case .paymentHeld = trigger, let deadline, deadline <= now { return .tooLate }
        self = next
        if let news = trigger.payment { payment = news.version }
        changes += 1
        return .done
    }

    private mutating func move(_ trigger: OrderTrigger, _ now: Date) -> Bool {
        switch (bike, trigger) {
        case (.kept, .paymentHeld): (bike, deadline) = (.ready, now + 7_200)
        case (.kept, .windowOver(.payment)), (.ready, .windowOver(.arrival)): putBack(.expired)
        case (.kept, .cancel), (.kept, .paymentReleased), (.kept, .customerBanned), (.ready, .cancel),
            (.ready, .paymentReleased), (.ready, .customerBanned):
            putBack(.cancelled)
        case (.ready, .start): (bike, deadline) = (.riding, now + 43_200)
        case (.riding, .bringBack(let cost)):
            price = min(price, cost)
            (bike, deadline) = (.over(.completed), nil)
        case (.riding, .windowOver(.completion)): (bike, deadline) = (.over(.completed), nil)
        case (.riding, .paymentReleased): break
        case (.over(.completed), .paymentCaptured), (.over, .paymentReleased): break
        default: return false
        }
        return true
    }

    private mutating func putBack(_ state: OrderState) {
        (bike, deadline, isForOthers) = (.over(state), nil, true)
    }

    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline && order.total == price
            && order.payment.version == payment && effects.isBikeReleased == isForOthers && order.provider == nil
            && order.report == nil
    }
}
