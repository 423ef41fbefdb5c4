/// Walks a courier through trips, and counts what it costs.
struct RouteWalk {
    private(set) var time: Int
    private(set) var place: Int
    private(set) var cost = 0.0
    /// Of the last trip: when the courier has to set out so that nothing is late, and when the food is in hand.
    private(set) var departure = 0
    private(set) var pickup = 0
    /// Of the last trip's orders.
    private(set) var dropoffs: [Int] = []
    private let offAt: Int
    private let records: Bool

    /// - Parameter records: keeps the drop-off times of each trip.
    init(_ courier: FoodCourier, records: Bool = false) {
        time = courier.freeAt
        place = courier.place
        offAt = courier.offAt
        self.records = records
    }

    /// - Parameter inserted: an order that is carried as well, and before which of the trip's orders.
    /// - Returns: false when the shift would be over before the pickup.
    mutating func take(
        _ orders: [Int], of restaurant: Int, inserting inserted: Int? = nil, at position: Int = 0,
        in problem: FoodProblem
    ) -> Bool {
        let settings = problem.settings
        let counter = problem.restaurantPlace[restaurant]
        let way = problem.seconds(place, counter)
        let arrival = time + way
        if inserted == nil, orders.isEmpty {
            // Nothing to take any more: free where the way ends.
            time = arrival
            place = counter
            pickup = arrival
            departure = arrival - way
            return true
        }
        var ready = inserted.map { problem.orders[$0].readyAt } ?? Int.min
        for order in orders { ready = max(ready, problem.orders[order].readyAt) }
        pickup = max(arrival + settings.reachCounterSeconds, ready)
        guard pickup <= offAt else { return false }
        departure = pickup - settings.reachCounterSeconds - way
        if records { dropoffs.removeAll(keepingCapacity: true) }
        time = pickup + settings.leaveCounterSeconds
        place = counter
        for index in 0...orders.count {
            if index == position, let inserted { drop(inserted, problem) }
            if index < orders.count { drop(orders[index], problem) }
        }
        return true
    }

    private mutating func drop(_ order: Int, _ problem: FoodProblem) {
        let door = problem.orders[order].dropoff
        let dropoff = time + problem.seconds(place, door) + problem.settings.reachDoorSeconds
        cost += problem.cost(of: order, at: dropoff)
        if records { dropoffs.append(dropoff) }
        time = dropoff + problem.settings.leaveDoorSeconds
        place = door
    }
}
