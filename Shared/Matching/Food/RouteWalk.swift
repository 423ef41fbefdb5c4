/// Simulates a courier's trips and adds up their cost.
struct RouteWalk {
    private(set) var time: Int
    private(set) var place: Int
    private(set) var cost = 0.0
    /// Of the last trip: the latest departure that delays nothing, and the time at which the courier has the food.
    private(set) var departure = 0
    private(set) var pickup = 0
    /// The drop-off times of the last trip's orders.
    private(set) var dropoffs: [Int] = []
    private let offAt: Int
    private let records: Bool

    /// - Parameter records: whether to keep the drop-off times of each trip.
    init(_ courier: FoodCourier, records: Bool = false) {
        time = courier.freeAt
        place = courier.place
        offAt = courier.offAt
        self.records = records
    }

    /// - Parameter inserted: a further order, and its position among the trip's orders.
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
            // There is nothing left to take: the courier is free at the end of the way.
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
