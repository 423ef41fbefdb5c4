/// A way to one restaurant and from there to the customers. Orders are numbers in the problem.
struct Trip: Hashable {
    let restaurant: Int
    /// In the sequence of the drop-offs.
    var orders: [Int]
}

/// The trips of one courier, in order.
struct Route {
    var trips: [Trip] = []
    var cost = 0.0
}

/// A place for an order in a route.
struct Insertion {
    let courier: Int
    let trip: Int
    /// Nil for a trip of its own before the trip with that number.
    let position: Int?
    /// The increase of the route's cost.
    let cost: Double
}
