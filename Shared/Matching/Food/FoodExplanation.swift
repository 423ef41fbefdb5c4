public import Foundation

/// Why an order has its courier, or none: every courier of the round, each once (X12).
public struct FoodExplanation: Hashable, Sendable {
    public enum Rule: String, Hashable, Sendable, CaseIterable, Codable {
        /// Cannot get the food before the end of the shift.
        case shiftOver = "shift-over"
        /// Enough other couriers can be there sooner.
        case notAmongFirst = "not-among-first"
        /// Must not have the order; see ``FoodOrder/barred``.
        case barred
    }

    public enum Verdict: Hashable, Sendable {
        /// The cost if this courier carried the order and everything else stayed as planned.
        case weighed(FoodCost)
        case leftOut(Rule)
    }

    public struct Considered: Hashable, Sendable {
        public let courier: UUID
        public let verdict: Verdict
    }

    public let order: UUID
    /// The courier in the plan; nil when no courier can carry it.
    public let chosen: UUID?
    /// The cheapest first, then those left out, by rule and id.
    public let couriers: [Considered]

    init(order: UUID, chosen: UUID?, couriers: [Considered]) {
        self.order = order
        self.chosen = chosen
        self.couriers = couriers.sorted { first, second in
            switch (first.verdict, second.verdict) {
            case (.weighed(let one), .weighed(let other)): (one.total, first.courier) < (other.total, second.courier)
            case (.weighed, .leftOut): true
            case (.leftOut, .weighed): false
            case (.leftOut(let one), .leftOut(let other)):
                (one.rawValue, first.courier) < (other.rawValue, second.courier)
            }
        }
    }
}

extension PlanSearch {
    /// Computes the cost of an order with each courier, with everything else as planned.
    func explanation(of order: Int, chosen: Int?) -> FoodExplanation {
        var without = self
        if chosen != nil { without.remove(order) }
        let couriers = problem.couriers.indices.map { courier in
            FoodExplanation.Considered(
                courier: problem.couriers[courier].id,
                verdict: without.verdict(on: courier, for: order, isChosen: courier == chosen))
        }
        return FoodExplanation(
            order: problem.orders[order].id, chosen: chosen.map { problem.couriers[$0].id }, couriers: couriers)
    }

    private func verdict(on courier: Int, for order: Int, isChosen: Bool) -> FoodExplanation.Verdict {
        if problem.isBarred(courier, from: order) { return .leftOut(.barred) }
        guard isChosen || isCandidate(courier, for: order) else {
            return .leftOut(canReach(courier, order) ? .notAmongFirst : .shiftOver)
        }
        guard let insertion = bestInsertion(of: order, to: courier) else { return .leftOut(.shiftOver) }
        return .weighed(FoodCost(addedSeconds: Int(insertion.cost.rounded()), preference(of: courier)))
    }
}
