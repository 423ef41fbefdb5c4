import Foundation

/// A round in numbers: orders, couriers and restaurants are counted from 0 in the order of their ids, so that equal
/// rounds are equal problems in any order of input.
struct FoodProblem {
    let round: FoodRound
    let orders: [FoodOrder]
    let couriers: [FoodCourier]
    let settings: FoodSettings
    /// The restaurant of each order.
    let restaurant: [Int]
    /// The place of each restaurant.
    let restaurantPlace: [Int]
    /// The restaurant of each courier who is on the way to it or waits there.
    let heading: [Int?]
    /// The courier who is on the way for each order.
    let fixedCourier: [Int?]
    /// `isBarred[order * couriers + courier]`; empty when no pair is barred.
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

    /// The cost of delivering an order at a time: the seconds since the earliest possible time, and much more for
    /// seconds beyond the longest time.
    func cost(of order: Int, at dropoff: Int) -> Double {
        let order = orders[order]
        let late = dropoff - order.placedAt - settings.longestClickToDoorSeconds + Self.safetySeconds
        return Double(dropoff - order.readyAt) + (late > 0 ? Double(late) * Self.latePrice : 0)
    }

    /// An undelivered order costs more than any late one.
    static let undeliveredCost = 1e6
    /// The cost of a second beyond the longest time.
    static let latePrice = 10.0
    /// The last minutes before the longest time count as beyond it, since changes can only delay.
    static let safetySeconds = 600
}
