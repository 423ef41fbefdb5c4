/// Who goes first of couriers who are as good for the meals: who has waited longer, and who is better rated.
///
/// Meals come first, so this is not weighed where the plan is searched for. A plan that has been found says which trips
/// there are; then its trips are given to couriers anew, so that the seconds of all customers and of the preferences are
/// the fewest together. Nobody gets them for whom a meal would come later than by the plan by more than
/// ``FoodSettings/preferenceSeconds``, who has a longer way to the restaurant by more than
/// ``FoodSettings/preferredWaySeconds``, or whom a rule forbids. The way is looked at by itself: food that is ready much
/// later is brought as soon by who comes from far as by who is near.
struct FoodPreference: Hashable {
    /// What waiting makes good; 0 or less. 0 of whose waiting nobody knows.
    let fairnessSeconds: Int
    /// What missing stars count as; 0 or more. 0 where nobody rates.
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
    /// What there is of a courier's trips, if he makes them.
    private struct Carried {
        let cost: Int
        /// To the first restaurant.
        let waySeconds: Int
        /// Of each order, in the sequence of the trips.
        let dropoffs: [Int]
    }

    /// The same trips by other couriers, where that is better; nil when they are the best as they are. Who is on the way
    /// to a restaurant keeps his.
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
            // Each can be left as it is, which is cheaper than none.
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

    /// More than any trips cost.
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
