public import Foundation

/// An order of food that is still at its restaurant. Times are seconds on any one clock.
public struct FoodOrder: Hashable, Sendable {
    public let id: UUID
    public let restaurant: UUID
    public let placedAt: Int
    /// When the food is ready, by the restaurant's word; may be in the past.
    public let readyAt: Int
    /// The restaurant's number in the round's ``TravelMatrix``.
    public let pickup: Int
    /// The customer's number in the round's ``TravelMatrix``.
    public let dropoff: Int
    /// Couriers who must not have the order, such as those who have declined it.
    public let barred: Set<UUID>

    public init(
        id: UUID, restaurant: UUID, placedAt: Int, readyAt: Int, pickup: Int, dropoff: Int, barred: Set<UUID> = []
    ) {
        self.id = id
        self.restaurant = restaurant
        self.placedAt = placedAt
        self.readyAt = readyAt
        self.pickup = pickup
        self.dropoff = dropoff
        self.barred = barred
    }
}

/// A courier who may carry food. Orders that the courier already carries only affect the place and time at which the
/// courier becomes free.
public struct FoodCourier: Hashable, Sendable {
    /// The destination of a courier who is on the way to a restaurant, or waits there, and does not turn back. Further
    /// orders of this restaurant may be added.
    public struct Heading: Hashable, Sendable {
        public let restaurant: UUID
        /// These orders stay with this courier.
        public let orders: [UUID]

        public init(restaurant: UUID, orders: [UUID]) {
            self.restaurant = restaurant
            self.orders = orders
        }
    }

    public let id: UUID
    /// The place where the courier becomes free, as a number in the round's ``TravelMatrix``; the heading's restaurant.
    public let place: Int
    /// The time: the end of the current work, the start of a later shift, or the arrival at the heading's restaurant.
    public let freeAt: Int
    /// The end of the shift. No pickup is later.
    public let offAt: Int
    public let heading: Heading?
    /// Since when the courier has been without work; nil with work, or when unknown.
    public let waitingSince: Int?
    /// Hundredths of a star, 100...500; nil where there are no ratings.
    public let rating: Int?

    public init(
        id: UUID, place: Int, freeAt: Int, offAt: Int, heading: Heading? = nil, waitingSince: Int? = nil,
        rating: Int? = nil
    ) {
        self.id = id
        self.place = place
        self.freeAt = freeAt
        self.offAt = offAt
        self.heading = heading
        self.waitingSince = waitingSince
        self.rating = rating
    }
}

/// All data that a decision about food depends on.
public struct FoodRound: Sendable {
    public let now: Int
    public let orders: [FoodOrder]
    public let couriers: [FoodCourier]
    public let travel: TravelMatrix
    public let settings: FoodSettings

    public init(
        now: Int, orders: [FoodOrder], couriers: [FoodCourier], travel: TravelMatrix, settings: FoodSettings
    ) {
        self.now = now
        self.orders = orders
        self.couriers = couriers
        self.travel = travel
        self.settings = settings
    }
}
