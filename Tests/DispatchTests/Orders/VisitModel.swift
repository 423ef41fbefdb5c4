import Foundation

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
    var deadline: Date? = SampleOrder.start.addingTimeInterval(120)

    enum Answer: Equatable { case done, wrongState, tooLate, wrongActor, outdated }

    private static let allowed: [OrderTrigger.Kind: Set<OrderActor>] = [
        .accept: [.provider], .decline: [.provider], .cancel: [.customer], .arrive: [.provider],
        .complete: [.customer, .provider],
    ]

    private static let seconds: [OrderWindow: Double] = [
        .accept: 120, .payment: 600, .arrival: 7_200, .completion: 43_200, .confirmation: 86_400,
    ]

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> Answer {
        if let news = trigger.payment, news.version <= paymentVersion { return .outdated }
        guard (Self.allowed[trigger.kind] ?? [.system]).contains(actor) else { return .wrongActor }
        var next = self
        guard next.move(trigger, by: actor) else { return .wrongState }
        if [.accept, .paymentHeld, .complete].contains(trigger.kind), let deadline, deadline <= now { return .tooLate }
        if next.waitsFor != waitsFor {
            next.deadline = next.waitsFor.flatMap { Self.seconds[$0] }.map { now.addingTimeInterval($0) }
        }
        self = next
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
            go(.arrived, isHeld: true, waitsFor: .completion)
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
            // The older kind of wait for the completion has the same end.
            let isOlder = window == .confirmation && waitsFor == .completion
            guard waitsFor == window || isOlder else { return false }
            switch waitsFor {
            case .accept, .payment: end(.expired)
            case .arrival, .completion: end(.cancelled)
            case .confirmation: end(.completed)
            case nil: return false
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
