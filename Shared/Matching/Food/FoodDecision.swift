public import Foundation

/// A decision of a round. Everything that is not decided can wait.
public enum FoodDecision: Hashable, Sendable {
    /// A free courier must set out for a restaurant now; otherwise the food would wait.
    case send(courier: UUID, to: UUID, for: [UUID])
    /// A courier at the restaurant takes these orders now and delivers them in this sequence.
    case load(courier: UUID, orders: [UUID])
    /// A courier on the way or at the counter takes these orders of the same restaurant along: they must be decided
    /// now, because the courier is about to get the first orders and leave.
    case add(courier: UUID, orders: [UUID])
}

/// The decisions of a round, and its expectations.
public struct FoodDecisions: Sendable {
    /// The expected times of an order. They may change until the courier has the food.
    public struct Expectation: Hashable, Sendable {
        public let order: UUID
        public let courier: UUID
        public let pickupAt: Int
        public let dropoffAt: Int
    }

    public let decisions: [FoodDecision]
    /// For each order that some courier can carry.
    public let expected: [Expectation]
    /// Orders that no courier can pick up before the end of the shift.
    public let impossible: [UUID]
    /// When the next courier has to set out or take food if nothing changes before; later than now.
    public let nextAt: Int?
    /// For each order whose courier is decided now.
    public let explanations: [FoodExplanation]
    let plan: PlanSearch

    /// The explanation of any order of the round, decided or not; nil for other orders.
    public func explanation(of order: UUID) -> FoodExplanation? {
        guard let number = plan.problem.orders.firstIndex(where: { $0.id == order }) else { return nil }
        let chosen = plan.routes.firstIndex { $0.trips.contains { $0.orders.contains(number) } }
        return plan.explanation(of: number, chosen: chosen)
    }
}
