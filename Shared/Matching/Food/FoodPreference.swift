/// The preference among couriers who are equally good for the meals: for longer waiting and better ratings.
///
/// Meals come first, so the search for a plan does not use it. When the plan is found, its trips are assigned to
/// couriers again, so that the customers' seconds and the preferences together are lowest. A courier gets no trip that
/// would make a meal later than planned by more than ``FoodSettings/preferenceSeconds``, whose restaurant is farther
/// away by more than ``FoodSettings/preferredWaySeconds`` than for the planned courier, or that a rule forbids. The way
/// is limited separately, because food that is ready much later arrives at the same time from far and near.
struct FoodPreference: Hashable {
    /// The bonus for waiting; 0 or less. 0 when the waiting time is unknown.
    let fairnessSeconds: Int
    /// The cost of missing stars; 0 or more. 0 where there are no ratings.
    let ratingSeconds: Int

    var total: Int { fairnessSeconds + ratingSeconds }

    init(_ courier: FoodCourier, now: Int, _ settings: FoodSettings) {
        let waited = max(0, now - (courier.waitingSince ?? now))
        fairnessSeconds = -min(settings.fairnessMostSeconds, waited * settings.fairnessSecondsPerMinute / 60)
        let missing = min(400, max(0, 500 - (courier.rating ?? 500)))
        ratingSeconds = missing * settings.ratingSecondsPerStar / 100
    }
}

extension PlanSearch {
    /// The results of a courier's trips.
    private struct Carried {
        let cost: Int
        /// To the first restaurant.
        let waySeconds: Int
        /// The drop-off times of the orders, in the sequence of the trips.
        let dropoffs: [Int]
    }

    /// The same trips with other couriers, where this is better; nil when the planned couriers are best. A courier on
    /// the way to a restaurant keeps the trips.
    func preferredRoutes() -> [Route]? {
        let free = routes.indices.filter { problem.heading[$0] == nil }
        let given = free.filter { !routes[$0].trips.isEmpty }
        let preferences = free.map { preference(of: $0).total }
        guard !given.isEmpty, Set(preferences).count > 1 else { return nil }
        var table = CostTable(columns: free.count, without: given.map { _ in Self.withoutSeconds })
        for (row, planned) in given.enumerated() {
            guard let carried = carry(routes[planned].trips, by: planned) else { return nil }
            for (column, courier) in free.enumerated() {
                guard let other = carry(routes[planned].trips, by: courier),
                    courier == planned || isAsGood(courier, other, for: routes[planned].trips, as: carried)
                else { continue }
                table[row, column] = other.cost + preferences[column]
            }
        }
        let columns = Assignment(cheapest: table).columns
        var changed = routes
        for courier in given { changed[courier] = Route() }
        for (row, planned) in given.enumerated() {
            // Each trip can stay with its planned courier, which is cheaper than no courier.
            guard let column = columns[row], let carried = carry(routes[planned].trips, by: free[column]) else {
                return nil
            }
            changed[free[column]] = Route(trips: routes[planned].trips, cost: Double(carried.cost))
        }
        return changed
    }

    func preference(of courier: Int) -> FoodPreference {
        FoodPreference(problem.couriers[courier], now: problem.round.now, problem.settings)
    }

    /// More than the cost of any trips.
    private static let withoutSeconds = 1 << 38

    private func isAsGood(_ courier: Int, _ carried: Carried, for trips: [Trip], as planned: Carried) -> Bool {
        let settings = problem.settings
        return carried.waySeconds <= planned.waySeconds + settings.preferredWaySeconds
            && zip(carried.dropoffs, planned.dropoffs).allSatisfy { $0 <= $1 + settings.preferenceSeconds }
            && trips.allSatisfy { $0.orders.allSatisfy { isCandidate(courier, for: $0) } }
    }

    /// Nil when the shift would be over.
    private func carry(_ trips: [Trip], by courier: Int) -> Carried? {
        guard let first = trips.first else { return nil }
        var walk = RouteWalk(problem.couriers[courier], records: true)
        var dropoffs: [Int] = []
        for trip in trips {
            guard walk.take(trip.orders, of: trip.restaurant, in: problem) else { return nil }
            dropoffs += walk.dropoffs
        }
        let way = problem.seconds(problem.couriers[courier].place, problem.restaurantPlace[first.restaurant])
        return Carried(cost: Int(walk.cost), waySeconds: way, dropoffs: dropoffs)
    }
}
