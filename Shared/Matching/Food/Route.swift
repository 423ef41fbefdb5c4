/// A way to one restaurant and from there to the customers. Orders are numbers in the problem.
struct Trip: Hashable {
    let restaurant: Int
    /// In the sequence of the drop-offs.
    var orders: [Int]
}

/// What one courier is to do, trip after trip.
struct Route {
    var trips: [Trip] = []
    var cost = 0.0
}

/// Where an order may go into a route.
struct Insertion {
    let courier: Int
    let trip: Int
    /// Nil: a trip of its own, before the one of that number.
    let position: Int?
    /// By how much the route's cost rises.
    let cost: Double
}
