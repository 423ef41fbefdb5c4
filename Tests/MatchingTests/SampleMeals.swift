import Foundation
import MealDelivery
import TestKit

/// Small instances of the Meal Delivery Routing Problem, at 100 metres a minute and with services of four minutes.
enum SampleMeals {
    static func instance(
        orders: [(place: Double, placed: Int, restaurant: Int, ready: Int)], restaurants: [Double],
        couriers: [(place: Double, on: Int, off: Int)]
    ) -> MealInstance {
        func point(_ metres: Double) -> MealInstance.Point { MealInstance.Point(x: metres, y: 0) }
        return MealInstance(
            name: "sample",
            orders: orders.enumerated().map { number, order in
                MealInstance.Order(
                    name: "o\(number + 1)", place: point(order.place), placed: order.placed,
                    restaurant: order.restaurant, ready: order.ready)
            },
            couriers: couriers.enumerated().map { number, courier in
                MealInstance.Courier(
                    name: "c\(number + 1)", place: point(courier.place), on: courier.on, off: courier.off)
            },
            restaurants: restaurants.enumerated().map { number, place in
                MealInstance.Restaurant(name: "r\(number + 1)", place: point(place))
            },
            metresPerMinute: 100, pickupMinutes: 4, dropoffMinutes: 4, targetMinutes: 40, longestMinutes: 90)
    }

    /// A town's evening: more orders than its couriers can carry one by one.
    static func random(orders: Int, couriers: Int, _ generator: inout SeededGenerator) -> MealInstance {
        func point() -> MealInstance.Point {
            MealInstance.Point(
                x: Double(Int.random(in: 0...4_000, using: &generator)),
                y: Double(Int.random(in: 0...4_000, using: &generator)))
        }
        return MealInstance(
            name: "random",
            orders: (0..<orders).map { number in
                let placed = Int.random(in: 0...150, using: &generator)
                return MealInstance.Order(
                    name: "o\(number)", place: point(), placed: placed,
                    restaurant: .random(in: 0..<6, using: &generator),
                    ready: placed + .random(in: 1...40, using: &generator))
            },
            couriers: (0..<couriers).map { number in
                let on = Int.random(in: 0...30, using: &generator)
                return MealInstance.Courier(
                    name: "c\(number)", place: point(), on: on, off: .random(in: 300...600, using: &generator))
            },
            restaurants: (0..<6).map { MealInstance.Restaurant(name: "r\($0)", place: point()) },
            metresPerMinute: 300, pickupMinutes: 4, dropoffMinutes: 4, targetMinutes: 40, longestMinutes: 90)
    }
}
