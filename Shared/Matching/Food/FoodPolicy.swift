import Foundation

/// Decides which courier carries which food, on-line: it knows the current orders and nothing of future ones.
///
/// It plans for all open orders together, to minimise the sum of the customers' waiting, and carries out only the part
/// of the plan that cannot wait: a courier sets out in time to be at the counter when the food is ready, and takes it
/// when the whole bundle is ready. Until then new information can change everything except the destination and the
/// orders of a courier on the way. A second beyond the longest click-to-door time counts ten times, beginning ten
/// minutes before it. Among couriers who are equally good for the meals, the one who has waited longer and is better
/// rated goes first: no meal is later for it by more than ``FoodSettings/preferenceSeconds``.
public enum FoodPolicy {
    public static func decide(_ round: FoodRound) -> FoodDecisions {
        let problem = FoodProblem(round)
        var search = PlanSearch(problem)
        search.run()
        search.prefer()
        var decided = Decided()
        for courier in search.routes.indices { decided.read(search, courier) }
        return FoodDecisions(
            decisions: decided.decisions, expected: decided.expected,
            impossible: search.unplanned.map { problem.orders[$0].id }, nextAt: decided.nextAt,
            explanations: decided.explanations, plan: search)
    }

    /// The part of a plan to be carried out now.
    private struct Decided {
        var decisions: [FoodDecision] = []
        var expected: [FoodDecisions.Expectation] = []
        var explanations: [FoodExplanation] = []
        var nextAt: Int?

        mutating func read(_ search: PlanSearch, _ number: Int) {
            let problem = search.problem
            let courier = problem.couriers[number]
            var walk = RouteWalk(courier, records: true)
            for (index, trip) in search.routes[number].trips.enumerated() {
                guard walk.take(trip.orders, of: trip.restaurant, in: problem) else { return }
                guard let first = trip.orders.first else { continue }
                for (order, dropoff) in zip(trip.orders, walk.dropoffs) {
                    expected.append(
                        .init(
                            order: problem.orders[order].id, courier: courier.id, pickupAt: walk.pickup,
                            dropoffAt: dropoff))
                }
                guard index == 0 else { continue }
                if courier.heading != nil { add(trip, to: number, search) }
                let due = courier.heading == nil ? walk.departure : walk.pickup
                guard due <= problem.round.now else {
                    nextAt = min(nextAt ?? due, due)
                    continue
                }
                let orders = trip.orders.map { problem.orders[$0].id }
                decisions.append(
                    courier.heading == nil
                        ? .send(courier: courier.id, to: problem.orders[first].restaurant, for: orders)
                        : .load(courier: courier.id, orders: orders))
                // Orders that the courier was sent for were explained then, and added orders are explained when they
                // are added.
                if courier.heading == nil {
                    explanations += trip.orders.map { search.explanation(of: $0, chosen: number) }
                }
            }
        }

        /// Decides the orders that the plan adds to the trip of a courier on the way.
        private mutating func add(_ trip: Trip, to number: Int, _ search: PlanSearch) {
            let problem = search.problem
            let courier = problem.couriers[number]
            let added = trip.orders.filter { problem.fixedCourier[$0] == nil }
            guard !added.isEmpty else { return }
            var alone = RouteWalk(courier)
            let sentFor = trip.orders.filter { problem.fixedCourier[$0] != nil }
            guard alone.take(sentFor, of: trip.restaurant, in: problem) else { return }
            let due = alone.pickup - problem.settings.reachCounterSeconds
            guard due <= problem.round.now else {
                nextAt = min(nextAt ?? due, due)
                return
            }
            decisions.append(.add(courier: courier.id, orders: added.map { problem.orders[$0].id }))
            explanations += added.map { search.explanation(of: $0, chosen: number) }
        }
    }
}
