import Foundation

/// The meals that a courier holds at a time. All are of one restaurant; further meals may be added until the courier
/// has picked up one of them.
struct CourierTrip: Sendable, Hashable {
    let restaurants: Set<UUID>
    private(set) var count: Int
    let hasLeft: Bool
    /// Whether the courier holds an order other than meals.
    let isBusy: Bool
    private var restaurant: UUID?

    /// - Parameter isFree: whether the courier holds nothing.
    init(isFree: Bool, restaurants: [UUID], count: Int, hasLeft: Bool) {
        self.restaurants = isFree ? [] : Set(restaurants)
        self.count = isFree ? 0 : count
        self.hasLeft = !isFree && hasLeft
        isBusy = !isFree && restaurants.isEmpty
        restaurant = isFree ? nil : restaurants.first
    }

    /// Adds a meal of a restaurant if the rules allow it; returns whether it did.
    mutating func add(of restaurant: UUID, limit: Int) -> Bool {
        guard !isBusy, !hasLeft, restaurants.count <= 1, count < limit,
            self.restaurant == nil || self.restaurant == restaurant
        else { return false }
        self.restaurant = restaurant
        count += 1
        return true
    }
}
