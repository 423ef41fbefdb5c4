import Foundation

/// Decides who carries which food, on-line: it knows what has been ordered and nothing of what will be.
///
/// It plans for all open orders together, so that customers wait as little as possible in sum, and does of the plan only
/// what cannot wait: a courier sets out so as to be at the counter when the food is ready, and takes it when the whole
/// bundle is. Until then news can change everything but where a courier on the way is going, and for what. A second
/// beyond the longest click-to-door counts ten times, from ten minutes before on. Of couriers who are as good for the
/// meals, who has waited longer and is better rated goes first: no meal is later for it than by
/// ``FoodSettings/preferenceSeconds``.
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

    /// What of a plan is to be done now.
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
                // Those that the courier was sent for were explained then, and those that were added now.
                if courier.heading == nil {
                    explanations += trip.orders.map { search.explanation(of: $0, chosen: number) }
                }
            }
        }

        /// What the plan adds to the trip of a courier on the way.
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
