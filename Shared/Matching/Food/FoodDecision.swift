public import Foundation

/// What a round decides. Whatever it does not decide can wait.
public enum FoodDecision: Hashable, Sendable {
    /// A free courier sets out for a restaurant now, or the food would wait.
    case send(courier: UUID, to: UUID, for: [UUID])
    /// A courier at the restaurant takes these now and carries them in this sequence.
    case load(courier: UUID, orders: [UUID])
    /// A courier on the way, or at the counter, takes these along as well, which are of the same restaurant: he is about
    /// to have what he came for, and would go without them.
    case add(courier: UUID, orders: [UUID])
}

/// The decisions of a round, and what it expects.
public struct FoodDecisions: Sendable {
    /// What the round expects of an order. It may change until the courier has the food.
    public struct Expectation: Hashable, Sendable {
        public let order: UUID
        public let courier: UUID
        public let pickupAt: Int
        public let dropoffAt: Int
    }

    public let decisions: [FoodDecision]
    /// Of each order that some courier can carry.
    public let expected: [Expectation]
    /// Orders that nobody can pick up before the end of the shift.
    public let impossible: [UUID]
    /// When the next courier has to set out or to take food, if no news comes before; later than now.
    public let nextAt: Int?
    /// Of each order for which a courier is decided now.
    public let explanations: [FoodExplanation]
    let plan: PlanSearch

    /// Of any order of the round, decided or not; nil if it is none of them.
    public func explanation(of order: UUID) -> FoodExplanation? {
        guard let number = plan.problem.orders.firstIndex(where: { $0.id == order }) else { return nil }
        let chosen = plan.routes.firstIndex { $0.trips.contains { $0.orders.contains(number) } }
        return plan.explanation(of: number, chosen: chosen)
    }
}
