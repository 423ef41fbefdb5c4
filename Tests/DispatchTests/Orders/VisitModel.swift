import Foundation

@testable import SeraiDispatch

/// What a visit should do, written a second time and in another way than the workflow's table: to hold the two against
/// each other.
struct VisitModel: WorkflowModel {
    var state: OrderState = .requested
    var hasCustomerConfirmed = false
    var hasProviderConfirmed = false
    var isNear = false
    var paymentVersion = 0
    var changes = 1
    var isHeld = false
    var waitsFor: OrderWindow? = .accept
    var deadline: Date? = SampleOrder.start.addingTimeInterval(120)

    var changedAt = SampleOrder.start
    var arrivedAt: Date?
    var isReported = false
    var endedBy: OrderActor?
    var fine: LateCancellationFee?
    var verdict: Order.Verdict?

    private static let allowed: [OrderTrigger.Kind: Set<OrderActor>] = [
        .accept: [.provider], .decline: [.provider], .cancel: [.customer], .arrive: [.provider],
        .complete: [.customer, .provider], .missCustomer: [.provider], .report: [.customer, .provider],
        .decideForProvider: [.admin], .decideForCustomer: [.admin],
    ]

    private static let seconds: [OrderWindow: Double] = [
        .accept: 120, .payment: 600, .arrival: 7_200, .completion: 43_200, .confirmation: 86_400,
        .decision: 259_200,
    ]

    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool { actors(of: trigger).contains(actor) }

    /// Who can ever do it.
    private static func actors(of trigger: OrderTrigger) -> Set<OrderActor> { allowed[trigger.kind] ?? [.system] }

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer {
        if let news = trigger.payment, news.version <= paymentVersion { return .outdated }
        guard Self.mayEver(trigger, actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, by: actor) else { return .wrongState }
        if [.accept, .paymentHeld, .complete].contains(trigger.kind), let deadline, deadline <= now { return .tooLate }
        if case .missCustomer = trigger, let arrivedAt, now < arrivedAt + 900 { return .tooEarly }
        if case .arrive = trigger { next.arrivedAt = now }
        if next.isOver, !isOver { next.endedBy = actor }
        if next.waitsFor != waitsFor || trigger.kind == .decisionWindowOver {
            next.deadline = next.waitsFor.flatMap { Self.seconds[$0] }.map { now.addingTimeInterval($0) }
        }
        self = next
        if let news = trigger.payment { paymentVersion = news.version }
        changes += 1
        // To be near is not to be there.
        if trigger.kind != .comeNear { changedAt = now }
        return .done
    }

    private var isOver: Bool { [.completed, .cancelled, .refused, .expired].contains(state) }

    /// Whether an order that went the same way is where the model is.
    func agrees(with order: Order, _ effects: SeenEffects) -> Bool {
        order.state == state && order.version == changes && order.deadline == deadline
            && order.changedAt == changedAt && order.payment.version == paymentVersion && effects.isHeld == isHeld
            && order.arrivedAt == arrivedAt
            && (order.report != nil) == isReported && order.ending?.by == endedBy && order.ending?.fine == fine
            && order.ending?.verdict == verdict && (order.paidTo != nil) == isOver
    }

    private mutating func move(_ trigger: OrderTrigger, by actor: OrderActor) -> Bool {
        switch trigger {
        case .accept:
            guard state == .requested else { return false }
            go(.accepted, isHeld: true, waitsFor: .payment)
        case .decline:
            guard state == .requested else { return false }
            end(.refused)
        case .cancel:
            // Free before the way, and not possible once the provider is there.
            guard [.requested, .accepted, .enRoute].contains(state) else { return false }
            if state == .enRoute { fine = trigger.fine }
            end(.cancelled)
        case .missCustomer:
            guard state == .arrived, !hasCustomerConfirmed, !hasProviderConfirmed else { return false }
            fine = trigger.fine
            end(.cancelled)
        case .report:
            switch state {
            // Nothing is paid, and so nothing to be decided about.
            case .requested, .accepted: end(.cancelled)
            case .enRoute, .arrived:
                go(.disputed, isHeld: false, waitsFor: .decision)
                isReported = true
            default: return false
            }
        case .customerBanned, .providerBanned:
            switch state {
            case .requested, .accepted, .enRoute: end(.cancelled)
            case .arrived:
                go(.disputed, isHeld: false, waitsFor: .decision)
                isReported = true
            default: return false
            }
        case .decide(let decided):
            guard state == .disputed else { return false }
            verdict = decided
            end(decided.decision == .returnToCustomer ? .cancelled : .completed)
        case .arrive:
            guard state == .enRoute else { return false }
            go(.arrived, isHeld: true, waitsFor: .completion)
        case .complete: return confirm(actor)
        case .comeNear:
            guard state == .enRoute, !isNear else { return false }
            isNear = true
        case .paymentHeld:
            guard state == .accepted else { return false }
            go(.enRoute, isHeld: true, waitsFor: .arrival)
        case .paymentCaptured: return state == .completed || state == .disputed
        case .paymentReleased:
            switch state {
            case .accepted, .enRoute, .arrived: end(.cancelled)
            case .completed, .cancelled, .refused, .expired, .disputed: break
            default: return false
            }
        case .windowOver(let window):
            // The older kind of wait for the completion has the same end.
            let isOlder = window == .confirmation && waitsFor == .completion
            guard waitsFor == window || isOlder else { return false }
            switch waitsFor {
            case .accept, .payment: end(.expired)
            case .arrival, .completion: end(.cancelled)
            case .confirmation: end(.completed)
            // All are reminded, and it waits on.
            case .decision: break
            case nil, .search, .offer, .assignment, .desk, .deposit, .preparation: return false
            }
        // Of other kinds of orders.
        default: return false
        }
        return true
    }

    private mutating func confirm(_ actor: OrderActor) -> Bool {
        guard state == .arrived else { return false }
        if actor == .customer {
            if hasCustomerConfirmed { return false }
            hasCustomerConfirmed = true
        } else {
            if hasProviderConfirmed { return false }
            hasProviderConfirmed = true
        }
        if hasCustomerConfirmed, hasProviderConfirmed { end(.completed) } else { waitsFor = .confirmation }
        return true
    }

    private mutating func go(_ next: OrderState, isHeld: Bool, waitsFor: OrderWindow) {
        state = next
        self.isHeld = isHeld
        self.waitsFor = waitsFor
    }

    private mutating func end(_ last: OrderState) {
        state = last
        isHeld = false
        waitsFor = nil
    }
}
