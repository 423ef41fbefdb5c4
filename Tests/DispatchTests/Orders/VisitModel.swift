@testable import SeraiDispatch

/// What a visit should do, written a second time and in another way than the workflow's table: to hold the two against
/// each other.
struct VisitModel: Equatable {
    var state: OrderState = .requested
    var hasCustomerConfirmed = false
    var hasProviderConfirmed = false
    var isNear = false
    var paymentVersion = 0
    var changes = 1
    var isHeld = false
    var waitsFor: OrderWindow? = .accept

    enum Answer: Equatable { case done, wrongState, wrongActor, outdated }

    private static let allowed: [OrderTrigger.Kind: Set<OrderActor>] = [
        .accept: [.provider], .decline: [.provider], .cancel: [.customer], .arrive: [.provider],
        .complete: [.customer, .provider],
    ]

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor) -> Answer {
        if let news = trigger.payment, news.version <= paymentVersion { return .outdated }
        guard (Self.allowed[trigger.kind] ?? [.system]).contains(actor) else { return .wrongActor }
        guard move(trigger, by: actor) else { return .wrongState }
        if let news = trigger.payment { paymentVersion = news.version }
        changes += 1
        return .done
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
            guard state == .requested || state == .accepted else { return false }
            end(.cancelled)
        case .arrive:
            guard state == .enRoute else { return false }
            go(.arrived, isHeld: true, waitsFor: .confirmation)
        case .complete: return confirm(actor)
        case .comeNear:
            guard state == .enRoute, !isNear else { return false }
            isNear = true
        case .paymentHeld:
            guard state == .accepted else { return false }
            go(.enRoute, isHeld: true, waitsFor: .arrival)
        case .paymentCaptured: return state == .completed
        case .paymentReleased:
            switch state {
            case .accepted, .enRoute, .arrived: end(.cancelled)
            case .completed, .cancelled, .refused, .expired: break
            default: return false
            }
        case .windowOver(let window):
            guard waitsFor == window else { return false }
            switch window {
            case .accept, .payment: end(.expired)
            case .arrival: end(.cancelled)
            case .confirmation: end(.completed)
            }
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
        if hasCustomerConfirmed, hasProviderConfirmed { end(.completed) }
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
