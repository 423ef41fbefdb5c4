import Foundation

/// A round in numbers: orders, couriers and restaurants counted from 0 in the order of their ids, so that equal rounds
/// are equal problems in whatever order they are told.
struct FoodProblem {
    let round: FoodRound
    let orders: [FoodOrder]
    let couriers: [FoodCourier]
    let settings: FoodSettings
    /// Of each order.
    let restaurant: [Int]
    /// Of each restaurant.
    let restaurantPlace: [Int]
    /// Of each courier on the way or waiting there.
    let heading: [Int?]
    /// The courier who is on the way for an order.
    let fixedCourier: [Int?]
    /// `isBarred[order * couriers + courier]`; empty when nobody is.
    private let isBarred: [Bool]

    init(_ round: FoodRound) {
        self.round = round
        settings = round.settings
        orders = round.orders.sorted { $0.id < $1.id }
        couriers = round.couriers.sorted { $0.id < $1.id }
        var numbers: [UUID: Int] = [:]
        var places: [Int] = []
        restaurant = orders.map { order in
            if let known = numbers[order.restaurant] { return known }
            numbers[order.restaurant] = places.count
            places.append(order.pickup)
            return places.count - 1
        }
        var headings: [Int?] = []
        for courier in couriers {
            guard let heading = courier.heading else {
                headings.append(nil)
                continue
            }
            let number = numbers[heading.restaurant] ?? places.count
            if number == places.count {
                numbers[heading.restaurant] = number
                places.append(courier.place)
            }
            headings.append(number)
        }
        heading = headings
        restaurantPlace = places
        var holders: [UUID: Int] = [:]
        for (number, courier) in couriers.enumerated() {
            for order in courier.heading?.orders ?? [] { holders[order] = number }
        }
        fixedCourier = orders.map { holders[$0.id] }
        let couriers = couriers
        isBarred =
            orders.allSatisfy(\.barred.isEmpty)
            ? [] : orders.flatMap { order in couriers.map { order.barred.contains($0.id) } }
    }

    /// Whether a courier must not have an order.
    func isBarred(_ courier: Int, from order: Int) -> Bool {
        !isBarred.isEmpty && isBarred[order * couriers.count + courier]
    }

    func seconds(_ from: Int, _ to: Int) -> Int { round.travel.seconds(from, to) }

    /// What it costs that an order is there at a time: the seconds since the earliest possible one, and much more for
    /// those beyond the longest time.
    func cost(of order: Int, at dropoff: Int) -> Double {
        let order = orders[order]
        let late = dropoff - order.placedAt - settings.longestClickToDoorSeconds + Self.safetySeconds
        return Double(dropoff - order.readyAt) + (late > 0 ? Double(late) * Self.latePrice : 0)
    }

    /// An order that nobody carries costs more than any that is late.
    static let undeliveredCost = 1e6
    /// What a second beyond the longest time costs.
    static let latePrice = 10.0
    /// The last minutes before the longest time count as beyond it, since news can only delay.
    static let safetySeconds = 600
}
