import Foundation

@testable import SeraiDispatch

/// The rules of one kind of order, written a second time and in another way than the workflow's table: to hold the two
/// against each other.
protocol WorkflowModel: Sendable {
    /// Whether the trigger is ever the actor's, in any state.
    static func mayEver(_ trigger: OrderTrigger, _ actor: OrderActor) -> Bool

    mutating func happen(_ trigger: OrderTrigger, by actor: OrderActor, at now: Date) -> WorkflowAnswer

    /// Whether an order that went the same way is where the model is.
    func agrees(with order: Order, _ effects: SeenEffects) -> Bool
}

enum WorkflowAnswer: Equatable {
    case done, wrongState, wrongActor, tooLate, tooEarly, outdated
    /// A refusal that the rules alone cannot give, or that names another state than the order's.
    case other

    init(_ refusal: OrderRefusal, of order: Order) {
        self =
            switch refusal {
            case .wrongState(let state): state == order.state ? .wrongState : .other
            case .tooLate(let state): state == order.state ? .tooLate : .other
            case .tooEarly: .tooEarly
            case .wrongActor: .wrongActor
            case .outdated: .outdated
            case .providerBusy: .other
            }
    }
}

/// The effects of a walk's changes outside of the order.
struct SeenEffects {
    /// Whether the provider's one place is kept for the order.
    var isHeld = false
    /// Whether the bike is for others again.
    var isBikeReleased = false

    mutating func saw(_ effects: [OrderEffect]) {
        if effects.contains(.claimsProvider) { isHeld = true }
        if effects.contains(.freesProvider) { isHeld = false }
        if effects.contains(.releasesBike) { isBikeReleased = true }
    }
}
