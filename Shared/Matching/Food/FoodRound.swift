public import Foundation

/// An order of food that is still at its restaurant. Times are seconds on one clock, whichever it is.
public struct FoodOrder: Hashable, Sendable {
    public let id: UUID
    public let restaurant: UUID
    public let placedAt: Int
    /// When the restaurant says that it is ready; it may be in the past.
    public let readyAt: Int
    /// The restaurant, as a number in the round's ``TravelMatrix``.
    public let pickup: Int
    /// The customer, as a number in the round's ``TravelMatrix``.
    public let dropoff: Int
    /// Couriers who must not have it, such as those who have said no to it.
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

/// A courier who may carry food. What he carries already is only seen in when and where he becomes free.
public struct FoodCourier: Hashable, Sendable {
    /// A courier who is on the way to a restaurant, or waits there, does not turn back. Orders of it may be added.
    public struct Heading: Hashable, Sendable {
        public let restaurant: UUID
        /// They stay with this courier.
        public let orders: [UUID]

        public init(restaurant: UUID, orders: [UUID]) {
            self.restaurant = restaurant
            self.orders = orders
        }
    }

    public let id: UUID
    /// Where the courier becomes free, as a number in the round's ``TravelMatrix``; the restaurant of the heading.
    public let place: Int
    /// When: the end of what is being done, the begin of a shift to come, or the arrival at the heading's restaurant.
    public let freeAt: Int
    /// The end of the shift. Nothing is picked up later.
    public let offAt: Int
    public let heading: Heading?
    /// Since when without work; nil of who has some, or of whom nobody knows.
    public let waitingSince: Int?
    /// Hundredths of a star, 100...500; nil where nobody rates.
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

/// Everything that a decision about food depends on.
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
