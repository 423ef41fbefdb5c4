/// Searches a plan for all open orders: the courier, the trip and the position of each.
///
/// Each order is inserted where it costs least. Then parts of the plan are removed and inserted again, and cheaper
/// results are kept (ruin and recreate: Schrimpf and others 2000; the steps follow Christiaens and Vanden Berghe 2020).
/// Equal problems have equal plans.
struct PlanSearch {
    let problem: FoodProblem
    /// `mayTake[order * couriers + courier]`: whether the courier is among those who can be there first.
    private let mayTake: [Bool]
    /// For each order all others, the most similar first.
    private let similar: [[Int]]
    private var random = SeededRandom(seed: 1)
    private(set) var routes: [Route]
    private(set) var unplanned: [Int] = []

    init(_ problem: FoodProblem) {
        self.problem = problem
        mayTake = Self.candidates(problem)
        similar = Self.similarity(problem)
        routes = problem.heading.map { heading in
            Route(trips: heading.map { [Trip(restaurant: $0, orders: [])] } ?? [])
        }
    }

    var cost: Double {
        routes.reduce(Double(unplanned.count) * FoodProblem.undeliveredCost) { $0 + $1.cost }
    }

    mutating func run() {
        let count = problem.orders.count
        recreate(
            problem.orders.indices.sorted { problem.orders[$0].readyAt < problem.orders[$1].readyAt }, blinks: false)
        guard count > 1 else { return }
        let steps = min(problem.settings.searchStepLimit, count * problem.settings.searchStepsPerOrder)
        var best = (routes: routes, unplanned: unplanned, cost: cost)
        var current = best
        for step in 0..<steps {
            let removed = ruin()
            recreate(arranged(removed), blinks: true)
            let found = cost
            // Results that are worse by less than this are continued from; the tolerance shrinks with the steps.
            let tolerance = 600 * Double(steps - step) / Double(steps) * Double(random.number(below: 1_000)) / 1_000
            if found < current.cost + tolerance {
                current = (routes, unplanned, found)
                if found < best.cost - 1e-9 { best = current }
            } else {
                routes = current.routes
                unplanned = current.unplanned
            }
        }
        routes = best.routes
        unplanned = best.unplanned
    }

    /// Assigns the found trips to preferred couriers; see ``FoodPreference``.
    mutating func prefer() {
        if let better = preferredRoutes() { routes = better }
    }

    // MARK: Ruin

    private mutating func ruin() -> [Int] {
        let count = problem.orders.count
        let number = 1 + random.number(below: min(count, 8))
        let seed = random.number(below: count)
        var removed: Set<Int> = [seed]
        for other in similar[seed] where removed.count < number {
            if !random.once(in: 4) { removed.insert(other) }
        }
        removed.formUnion(unplanned)
        unplanned = []
        takeOut(removed)
        return removed.sorted()
    }

    /// Removes an order from the plan.
    mutating func remove(_ order: Int) { takeOut([order]) }

    private mutating func takeOut(_ orders: Set<Int>) {
        for courier in routes.indices
        where routes[courier].trips.contains(where: { $0.orders.contains(where: orders.contains) }) {
            for trip in routes[courier].trips.indices {
                routes[courier].trips[trip].orders.removeAll(where: orders.contains)
            }
            // A courier on the way to a restaurant goes there, whatever orders are left.
            let heading = problem.heading[courier] == nil ? 0 : 1
            let later = routes[courier].trips.dropFirst(heading).filter { !$0.orders.isEmpty }
            routes[courier].trips = routes[courier].trips.prefix(heading) + later
            routes[courier].cost = cost(courier, routes[courier].trips)
        }
    }

    private mutating func arranged(_ orders: [Int]) -> [Int] {
        switch random.number(below: 4) {
        case 0: return orders.sorted { problem.orders[$0].readyAt < problem.orders[$1].readyAt }
        case 1: return orders.sorted { problem.orders[$0].placedAt < problem.orders[$1].placedAt }
        default: return orders.shuffled(using: &random)
        }
    }

    // MARK: Recreate

    private mutating func recreate(_ orders: [Int], blinks: Bool) {
        // Orders whose courier is on the way have no choice. They are inserted first, so that all others take them into
        // account.
        for order in orders where problem.fixedCourier[order] != nil { insert(order, blinks: false) }
        for order in orders where problem.fixedCourier[order] == nil { insert(order, blinks: blinks) }
    }

    private mutating func insert(_ order: Int, blinks: Bool) {
        guard let place = bestInsertion(of: order, blinks: blinks) else {
            unplanned.append(order)
            return
        }
        if let position = place.position {
            routes[place.courier].trips[place.trip].orders.insert(order, at: position)
        } else {
            let trip = Trip(restaurant: problem.restaurant[order], orders: [order])
            routes[place.courier].trips.insert(trip, at: place.trip)
        }
        routes[place.courier].cost += place.cost
    }

    private mutating func bestInsertion(of order: Int, blinks: Bool) -> Insertion? {
        let restaurant = problem.restaurant[order]
        var best: Insertion?
        if let fixed = problem.fixedCourier[order] {
            look(at: fixed, for: order, of: restaurant, onlyFirst: true, &best)
            return best
        }
        for courier in routes.indices where isCandidate(courier, for: order) {
            // The best place is sometimes skipped, so that not every search ends in the same plan.
            if blinks, random.once(in: 50) { continue }
            look(at: courier, for: order, of: restaurant, onlyFirst: false, &best)
        }
        return best
    }

    /// The cheapest place for an order in one courier's route.
    func bestInsertion(of order: Int, to courier: Int) -> Insertion? {
        var best: Insertion?
        look(at: courier, for: order, of: problem.restaurant[order], onlyFirst: false, &best)
        return best
    }

    /// Whether the courier is among those who can be there first, or goes to the restaurant anyway.
    func isCandidate(_ courier: Int, for order: Int) -> Bool {
        if problem.isBarred(courier, from: order) { return false }
        if mayTake[order * routes.count + courier] { return true }
        let restaurant = problem.restaurant[order]
        return routes[courier].trips.contains { $0.restaurant == restaurant }
    }

    /// Whether the courier could get the food before the end of the shift, without other work.
    func canReach(_ courier: Int, _ order: Int) -> Bool {
        Self.pickup(problem.couriers[courier], problem.orders[order], problem) <= problem.couriers[courier].offAt
    }

    private func look(
        at courier: Int, for order: Int, of restaurant: Int, onlyFirst: Bool, _ best: inout Insertion?
    ) {
        let trips = routes[courier].trips
        let known = routes[courier].cost
        var walk = RouteWalk(problem.couriers[courier])
        let isBound = problem.heading[courier] != nil
        for trip in 0...trips.count {
            if !onlyFirst, !(isBound && trip == 0) {
                consider(courier, trips, trip, nil, order, walk, known, &best)
            }
            guard trip < trips.count else { break }
            if trips[trip].restaurant == restaurant,
                onlyFirst || trips[trip].orders.count < problem.settings.bundleLimit
            {
                for position in 0...trips[trip].orders.count {
                    consider(courier, trips, trip, position, order, walk, known, &best)
                }
            }
            if onlyFirst { break }
            guard walk.take(trips[trip].orders, of: trips[trip].restaurant, in: problem) else { break }
        }
    }

    private func consider(
        _ courier: Int, _ trips: [Trip], _ trip: Int, _ position: Int?, _ order: Int, _ before: RouteWalk,
        _ known: Double, _ best: inout Insertion?
    ) {
        var walk = before
        let limit = (best?.cost ?? .infinity) + known
        var next = trip
        if let position {
            guard walk.take(trips[trip].orders, of: trips[trip].restaurant, inserting: order, at: position, in: problem)
            else { return }
            next += 1
        } else {
            guard walk.take([], of: problem.restaurant[order], inserting: order, in: problem) else { return }
        }
        while next < trips.count {
            guard walk.cost < limit, walk.take(trips[next].orders, of: trips[next].restaurant, in: problem) else {
                return
            }
            next += 1
        }
        if walk.cost < limit {
            best = Insertion(courier: courier, trip: trip, position: position, cost: walk.cost - known)
        }
    }

    private func cost(_ courier: Int, _ trips: [Trip]) -> Double {
        var walk = RouteWalk(problem.couriers[courier])
        for trip in trips {
            guard walk.take(trip.orders, of: trip.restaurant, in: problem) else { return .infinity }
        }
        return walk.cost
    }

    // MARK: Preparation

    private static func pickup(_ courier: FoodCourier, _ order: FoodOrder, _ problem: FoodProblem) -> Int {
        let arrival = courier.freeAt + problem.seconds(courier.place, order.pickup)
        return max(arrival + problem.settings.reachCounterSeconds, order.readyAt)
    }

    private static func candidates(_ problem: FoodProblem) -> [Bool] {
        let count = problem.couriers.count
        var may = [Bool](repeating: false, count: problem.orders.count * count)
        for (number, order) in problem.orders.enumerated() {
            var arrivals: [(at: Int, way: Int, courier: Int)] = []
            for (index, courier) in problem.couriers.enumerated() where !problem.isBarred(index, from: number) {
                let way = problem.seconds(courier.place, order.pickup)
                let pickup = pickup(courier, order, problem)
                if pickup <= courier.offAt { arrivals.append((pickup, way, index)) }
            }
            arrivals.sort { $0 < $1 }
            for arrival in arrivals.prefix(problem.settings.couriersPerOrder) {
                may[number * count + arrival.courier] = true
            }
        }
        return may
    }

    private static func similarity(_ problem: FoodProblem) -> [[Int]] {
        let orders = problem.orders
        return orders.indices.map { one in
            let distances = orders.indices.map { other in
                problem.seconds(orders[one].pickup, orders[other].pickup)
                    + abs(orders[one].readyAt - orders[other].readyAt)
            }
            let others = orders.indices.filter { $0 != one }
            return others.sorted { (distances[$0], $0) < (distances[$1], $1) }
        }
    }
}
